import { readFileSync } from 'node:fs';
import { DestructionBroken, verifyDestruction } from '../forms/index.ts';
import { type Command, UsageError } from './command.ts';

const NOT_COMPARED =
  'The key was NOT compared: whoever made the file may have signed it with a key of their own. Give its fingerprint with --key.';

export const destructionVerify: Command = {
  name: 'destruction verify',
  usage: 'FILE [--key FINGERPRINT]',
  about: 'check a certificate of destruction; needs neither database nor settings nor network',
  options: { key: { type: 'string' } },
  run: async ({ positionals, options }) => {
    const [file] = positionals;
    if (file === undefined || positionals.length > 1)
      throw new UsageError('a file with a certificate is required, and nothing else');
    const key = options.key?.toLowerCase() ?? null;
    try {
      const { contents, fingerprint } = verifyDestruction(readBytes(file), key);
      const { id, count, formId, at, firstReceived, lastReceived, reason, retentionDays } = contents;
      const submissions = contents.submissions.map((each) => each.id);
      const json = {
        ok: true,
        key: fingerprint,
        key_compared: key !== null,
        destruction: id,
        form: formId,
        at,
        reason,
        retention_days: retentionDays,
        count,
        submissions,
      };
      const lines = [
        `GENUINE: of form ${formId}, submissions destroyed ${at}: ${count}`,
        `They had come from ${firstReceived} to ${lastReceived}. ${contents.method}`,
        retentionDays === null ? `Reason: ${reason}` : `Reason: ${reason} after ${retentionDays} days`,
        ...(key === null ? [NOT_COMPARED] : []),
        'The submissions:',
        ...submissions,
      ];
      return { json, text: lines.join('\n') };
    } catch (error) {
      if (!(error instanceof DestructionBroken)) throw error;
      return { json: { ok: false, fault: error.message }, text: `NOT PROVED: ${error.message}`, failed: true };
    }
  },
};

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError('the file cannot be read');
  }
}
