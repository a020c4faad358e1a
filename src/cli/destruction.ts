import { readFileSync } from 'node:fs';
import { DestructionBroken, verifyDestruction } from '../forms/index.ts';
import { isAboutCustomer, verifyCustomerDestruction } from '../operations/destroy-customer/index.ts';
import { type Command, type Output, UsageError } from './command.ts';

const NOT_COMPARED =
  'The key was NOT compared: whoever made the file may have signed it with a key of their own. Give its fingerprint with --key.';

export const destructionVerify: Command = {
  name: 'destruction verify',
  usage: 'FILE [--key FINGERPRINT]',
  about:
    'check a certificate of destruction, of submissions or of a customer; needs neither database nor settings nor network',
  options: { key: { type: 'string' } },
  run: async ({ positionals, options }) => {
    const [file] = positionals;
    if (file === undefined || positionals.length > 1)
      throw new UsageError('a file with a certificate is required, and nothing else');
    const key = options.key?.toLowerCase() ?? null;
    try {
      const bytes = readBytes(file);
      return isAboutCustomer(bytes) ? tellCustomer(bytes, key) : tellSubmissions(bytes, key);
    } catch (error) {
      if (!(error instanceof DestructionBroken)) throw error;
      return { json: { ok: false, fault: error.message }, text: `NOT PROVED: ${error.message}`, failed: true };
    }
  },
};

function tellSubmissions(bytes: Buffer, key: string | null): Output {
  const { contents, fingerprint } = verifyDestruction(bytes, key);
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
}

function tellCustomer(bytes: Buffer, key: string | null): Output {
  const { contents, fingerprint } = verifyCustomerDestruction(bytes, key);
  const { id, customerId, username, at, method, removed, kept } = contents;
  const { store, destroyedAt, backupsExpireOn } = contents.keys;
  const backups =
    backupsExpireOn === null ? 'Backups never held them.' : `Backups that hold them expire on ${backupsExpireOn}.`;
  const lines = [
    `GENUINE: customer ${customerId} (${username}), destroyed ${at}`,
    method,
    `Keys (${store}): destroyed ${destroyedAt}. ${backups}`,
    ...(key === null ? [NOT_COMPARED] : []),
    'Removed:',
    ...Object.entries(removed).map(([table, count]) => `${table}\t${count}`),
    'Kept:',
    ...Object.entries(kept).map(([table, reason]) => `${table}\t${reason}`),
  ];
  const json = {
    ok: true,
    key: fingerprint,
    key_compared: key !== null,
    destruction: id,
    customer: customerId,
    username,
    at,
    removed,
  };
  return { json, text: lines.join('\n') };
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError('the file cannot be read');
  }
}
