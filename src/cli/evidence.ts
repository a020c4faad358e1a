import { readFileSync } from 'node:fs';
import { loadSigningKey } from '../accounts/index.ts';
import {
  EvidenceBroken,
  encodePublicKey,
  exportEvidence,
  fingerprintOf,
  tellEvidence,
  verifyEvidence,
} from '../email/index.ts';
import { requireOwn } from '../platform/http/ownership.ts';
import { type Command, type Invocation, knownCustomer, operatorAct, UsageError, withInstallation } from './command.ts';

const NOT_COMPARED =
  'The key was NOT compared: whoever made the file may have signed it with a key of their own. Give its fingerprint with --key.';

export const evidenceExport: Command = {
  name: 'evidence export',
  usage: '--customer ID MESSAGE',
  about: 'print all that shows how a message was delivered, for an auditor to check offline',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const signingKey = await loadSigningKey(installation);
      const act = operatorAct(customerId, 'message.evidence-exported');
      const wanted = only(invocation, 'the id of a message');
      const bundle = await exportEvidence({ ...installation, signingKey, requireOwn }, act, wanted);
      return { json: bundle, text: JSON.stringify(bundle, null, 1) };
    }),
};

export const evidenceVerify: Command = {
  name: 'evidence verify',
  usage: 'FILE [--key FINGERPRINT]',
  about: 'check such a file; needs neither database nor settings nor network',
  options: { key: { type: 'string' } },
  run: async (invocation) => {
    const bundle = readBundle(only(invocation, 'a file with evidence'));
    const key = invocation.options.key?.toLowerCase() ?? null;
    try {
      const verified = verifyEvidence(bundle, key);
      const { fingerprint, attempts, contents } = verified;
      const json = { ok: true, key: fingerprint, key_compared: key !== null, message: contents.messageId, attempts };
      const lines = [...tellEvidence(verified), ...(key === null ? [NOT_COMPARED] : [])];
      return { json, text: lines.join('\n') };
    } catch (error) {
      if (!(error instanceof EvidenceBroken)) throw error;
      return { json: { ok: false, fault: error.message }, text: `NOT PROVED: ${error.message}`, failed: true };
    }
  },
};

export const evidenceKey: Command = {
  name: 'evidence key',
  usage: '',
  about: 'print the public key that signs evidence, for auditors to compare',
  run: ({ config }) =>
    withInstallation(config, async (installation) => {
      const { publicKey } = await loadSigningKey(installation);
      const json = { fingerprint: fingerprintOf(publicKey), public_key: encodePublicKey(publicKey) };
      return { json, text: `${json.fingerprint}\n${json.public_key}` };
    }),
};

function only({ positionals }: Invocation, what: string): string {
  const [wanted] = positionals;
  if (wanted === undefined || positionals.length > 1) throw new UsageError(`${what} is required, and nothing else`);
  return wanted;
}

function readBundle(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError('the file cannot be read');
  }
  try {
    const value = JSON.parse(text) as { data?: unknown };
    return value?.data ?? value; // what the API answers holds the bundle under `data`
  } catch {
    throw new UsageError('the file does not hold JSON');
  }
}
