import { listCustomers, loadSigningKey } from '../../accounts/index.ts';
import type { Installation } from '../../installation.ts';
import { type Destroyed, destroyCustomer } from '../../operations/destroy-customer/index.ts';
import { openDatabase } from '../../platform/db/database.ts';
import {
  type Command,
  customerOption,
  type Invocation,
  type Output,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from '../command.ts';
import { intoNewFile } from '../new-file.ts';

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
      const reason = reasonOf(invocation);
      if (invocation.options.certificate === undefined) {
        const destroyed = await destroy(installation, customerId, reason);
        return tell(customerId, destroyed, 'run this again with --certificate FILE to have it');
      }
      return intoNewFile(invocation, 'certificate', async (write) => {
        const destroyed = await destroy(installation, customerId, reason);
        if ('certificate' in destroyed) await write(`${JSON.stringify(destroyed.certificate, null, 2)}\n`);
        return tell(customerId, destroyed, `it is in ${required(invocation, 'certificate')}`);
      });
    }),
};

async function destroy(installation: Installation, customerId: number, reason: string | null): Promise<Destroyed> {
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

function tell(customerId: number, destroyed: Destroyed, where: string): Output {
  if ('notBefore' in destroyed) {
    const day = destroyed.notBefore.toISOString();
    const text = `Closed. It can be destroyed from ${day} on, or now with --now --reason.`;
    return { json: { id: customerId, destroyed: false, not_before: day }, text };
  }
  const { certificate } = destroyed;
  const rows = Object.values(certificate.contents.removed).reduce((sum, count) => sum + count, 0);
  return {
    json: { id: customerId, destroyed: true, certificate },
    text: `Destroyed: rows and files ${rows}. Certificate ${certificate.contents.id}; ${where}.`,
  };
}
