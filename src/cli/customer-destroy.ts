import { writeFileSync } from 'node:fs';
import { listCustomers, loadSigningKey } from '../accounts/index.ts';
import type { Installation } from '../installation.ts';
import { destroyCustomer } from '../operations/destroy-customer/index.ts';
import { openDatabase } from '../platform/db/database.ts';
import {
  type Command,
  customerOption,
  type Invocation,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from './command.ts';

export const customerDestroy: Command = {
  name: 'customer destroy',
  usage: '--customer ID --confirm USERNAME [--now --reason TEXT] [--certificate FILE]',
  about:
    'close a customer, and 30 days later, or at once with a reason, destroy its keys, files and rows; goes on where it was stopped',
  options: {
    customer: { type: 'string' },
    confirm: { type: 'string' },
    now: { type: 'boolean' },
    reason: { type: 'string' },
    certificate: { type: 'string' },
  },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = customerOption(invocation);
      const known = (await listCustomers(installation.db)).find((customer) => customer.id === customerId);
      if (known?.username !== required(invocation, 'confirm'))
        throw new UsageError('--confirm takes the username of the customer');
      const destroyed = await destroy(installation, customerId, reasonOf(invocation));
      if ('notBefore' in destroyed) {
        const day = destroyed.notBefore.toISOString();
        const text = `Closed. It can be destroyed from ${day} on, or now with --now --reason.`;
        return { json: { id: customerId, destroyed: false, not_before: day }, text };
      }
      const { certificate } = destroyed;
      const file = invocation.options.certificate;
      if (file !== undefined) writeNew(file, `${JSON.stringify(certificate, null, 2)}\n`);
      const rows = Object.values(certificate.contents.removed).reduce((sum, count) => sum + count, 0);
      return {
        json: { id: customerId, destroyed: true, certificate },
        text: `Destroyed: rows and files ${rows}. Certificate ${certificate.contents.id}; run this again with --certificate FILE to have it.`,
      };
    }),
};

async function destroy(installation: Installation, customerId: number, reason: string | null) {
  const workerDb = openDatabase(installation, 'worker', 1);
  try {
    return await destroyCustomer(
      {
        ...installation,
        workerDb,
        signingKey: await loadSigningKey(installation),
        backupDays: installation.config.retention.backupDays,
      },
      operatorAct(customerId, 'customer.destroyed'),
      { reason },
    );
  } finally {
    await workerDb.close();
  }
}

/** Why nobody shall wait; null where it may take its time. */
function reasonOf(invocation: Invocation): string | null {
  if (invocation.flags.has('now')) return required(invocation, 'reason');
  if (invocation.options.reason !== undefined) throw new UsageError('--reason goes with --now');
  return null;
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch {
    throw new UsageError('--certificate takes a file that is not there yet, in a folder that is');
  }
}
