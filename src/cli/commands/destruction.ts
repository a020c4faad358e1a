import { SignatureBroken } from '../../accounts/index.ts';
import { verifyDestruction } from '../../forms/index.ts';
import { isAboutCustomer, verifyCustomerDestruction } from '../../operations/destroy-customer/index.ts';
import type { Command, Output } from '../command.ts';
import { knownKeys, notCompared, readGiven, verdict } from '../verification.ts';

export const destructionVerify: Command = {
  name: 'destruction verify',
  takes: 'FILE',
  usage: '[--key FINGERPRINT,…]',
  about:
    'check a certificate of destruction, of submissions or of a customer; needs neither database nor settings nor network',
  options: { key: { type: 'string' } },
  run: async (invocation) => tellDestruction(readGiven(invocation), knownKeys(invocation)),
};

/** What a certificate of destruction proves. */
export function tellDestruction(bytes: Buffer, keys: string[] | null): Promise<Output> {
  return verdict(SignatureBroken, () =>
    isAboutCustomer(bytes) ? tellCustomer(bytes, keys) : tellSubmissions(bytes, keys),
  );
}

function tellSubmissions(bytes: Buffer, keys: string[] | null): Output {
  const { contents, fingerprint } = verifyDestruction(bytes, keys);
  const { id, count, formId, at, firstReceived, lastReceived, reason, retentionDays } = contents;
  const submissions = contents.submissions.map((each) => each.id);
  const json = {
    ok: true,
    key: fingerprint,
    key_compared: keys !== null,
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
    ...notCompared('file', keys),
    'The submissions:',
    ...submissions,
  ];
  return { json, text: lines.join('\n') };
}

function tellCustomer(bytes: Buffer, keys: string[] | null): Output {
  const { contents, fingerprint } = verifyCustomerDestruction(bytes, keys);
  const { id, customerId, username, at, method, removed, kept } = contents;
  const { store, destroyedAt, backupsExpireOn } = contents.keys;
  const backups =
    backupsExpireOn === null ? 'Backups never held them.' : `Backups that hold them expire on ${backupsExpireOn}.`;
  const lines = [
    `GENUINE: customer ${customerId} (${username}), destroyed ${at}`,
    method,
    `Keys (${store}): destroyed ${destroyedAt}. ${backups}`,
    ...notCompared('file', keys),
    'Removed:',
    ...Object.entries(removed).map(([table, count]) => `${table}\t${count}`),
    'Kept:',
    ...Object.entries(kept).map(([table, reason]) => `${table}\t${reason}`),
  ];
  const json = {
    ok: true,
    key: fingerprint,
    key_compared: keys !== null,
    destruction: id,
    customer: customerId,
    username,
    at,
    removed,
  };
  return { json, text: lines.join('\n') };
}
