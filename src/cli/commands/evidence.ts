import { encodePublicKey, fingerprintOf, loadSigningKey } from '../../accounts/index.ts';
import { EvidenceBroken, exportEvidence, tellEvidence, verifyEvidence } from '../../email/index.ts';
import { findMail } from '../../marketing/index.ts';
import type { Act } from '../../platform/act.ts';
import { AppError } from '../../platform/errors.ts';
import { requireOwn } from '../../platform/http/ownership.ts';
import { type Command, knownCustomer, operatorAct, withInstallation } from '../command.ts';
import { knownKeys, notCompared, readGiven, verdict } from '../verification.ts';

export const evidenceExport: Command = {
  name: 'evidence export',
  takes: 'MESSAGE',
  usage: '--customer ID',
  about: 'print all that shows how a message was delivered, for an auditor to check offline',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const signingKey = await loadSigningKey(installation);
      const act = operatorAct(customerId, 'message.evidence-exported');
      const bundle = await exportOfEither({ ...installation, signingKey, requireOwn }, act, invocation.given);
      return { json: bundle, text: JSON.stringify(bundle, null, 1) };
    }),
};

/** Of a message, or else of a mail of a mailing: ids of both look alike. */
async function exportOfEither(deps: Parameters<typeof exportEvidence>[0], act: Act, id: string) {
  try {
    return await exportEvidence(deps, act, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'message_not_found') throw error;
    const mailAct = { ...act, action: 'mailing.evidence-exported' };
    return exportEvidence(deps, mailAct, id, findMail).catch((other: unknown) => {
      throw other instanceof AppError && other.code === 'not_found' ? error : other;
    });
  }
}

export const evidenceVerify: Command = {
  name: 'evidence verify',
  takes: 'FILE',
  usage: '[--key FINGERPRINT,…]',
  about: 'check such a file; needs neither database nor settings nor network',
  options: { key: { type: 'string' } },
  run: async (invocation) => {
    const [bundle, keys] = [readBundle(readGiven(invocation)), knownKeys(invocation)];
    return verdict(EvidenceBroken, () => {
      const verified = verifyEvidence(bundle, keys);
      const { fingerprint, attempts, contents } = verified;
      const json = { ok: true, key: fingerprint, key_compared: keys !== null, message: contents.messageId, attempts };
      return { json, text: [...tellEvidence(verified), ...notCompared('file', keys)].join('\n') };
    });
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

function readBundle(file: Buffer): unknown {
  try {
    const value = JSON.parse(file.toString()) as { data?: unknown };
    return value?.data ?? value; // what the API answers holds the bundle under `data`
  } catch {
    throw new Error('the file does not hold JSON');
  }
}
