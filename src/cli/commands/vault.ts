import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { destroyCustomerKeys, INSTALLATION, listCustomers, listTenants, recordAct } from '../../accounts/index.ts';
import { type Installation, registeredMasterKey, registerMasterKey } from '../../installation.ts';
import { RESEAL } from '../../jobs.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { isHeard, listNodes } from '../../platform/nodes.ts';
import { createMasterKeyFile, promoteNextKey } from '../../platform/vault/master-key.ts';
import {
  type Command,
  customerOption,
  type Invocation,
  knownCustomer,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from '../command.ts';

export const vaultRotate: Command = {
  name: 'vault rotate',
  usage: '--customer ID | --all | --master',
  about:
    'begin a new key version for a customer or for all, or replace the master key; works while serving, the last on one machine only',
  options: { customer: { type: 'string' }, all: { type: 'boolean' }, master: { type: 'boolean' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      requireOneOfWhose(invocation);
      if (invocation.flags.has('master')) {
        await refuseOtherMachines(installation);
        return rotateMaster(installation);
      }
      const customers = invocation.flags.has('all')
        ? await customersWithKeys(installation)
        : [await knownCustomer(installation, invocation)];
      for (const customerId of customers) await rotateCustomer(installation, customerId);
      return {
        json: { rotated: customers },
        text: `${customers.length} rotated; what is stored is sealed anew in the background.`,
      };
    }),
};

function requireOneOfWhose({ options, flags }: Invocation): void {
  const named = [options.customer !== undefined, flags.has('all'), flags.has('master')].filter(Boolean);
  if (named.length !== 1) throw new UsageError('vault rotate takes one of --customer, --all and --master');
}

async function customersWithKeys({ db, keyStore }: Installation): Promise<number[]> {
  const found: number[] = [];
  for (const { id } of await listCustomers(db)) if ((await keyStore.load(id)).length > 0) found.push(id);
  return found;
}

async function rotateCustomer({ vault, db, clock }: Installation, customerId: number): Promise<void> {
  const version = await vault.rotate(customerId);
  await db.tenant([customerId], async (tx) => {
    await recordAct(tx, clock, operatorAct(customerId, 'vault.rotated'), { details: { version } });
    await enqueueJob(tx, RESEAL, { customerId }, `${RESEAL}/${customerId}`);
  });
}

/** Nodes of other machines go on with the key file that they have, and could open nothing that the new one wraps. */
async function refuseOtherMachines({ db, clock }: Installation): Promise<void> {
  const nodes = await db.untenanted(listNodes);
  const heard = nodes.filter((node) => node.host !== hostname() && isHeard(node, clock.now()));
  if (heard.length === 0) return;
  const hosts = [...new Set(heard.map(({ host }) => host))].toSorted().join(', ');
  throw new Error(
    `nodes were heard of on ${hosts}, which would go on with the key before: stop every node, rotate here, copy the new key to each, and start them`,
  );
}

/** Replaces the master key and wraps every customer key with the new one; repeating it finishes what a crash left. */
async function rotateMaster({ config, db, vault, masterKeys, clock }: Installation) {
  const file = config.masterKeyFile;
  // A key in force that the database does not know yet is of a rotation that was cut off. It is finished
  // first: one more would push the key that still wraps some customers' out of `.previous`.
  if ((await registeredMasterKey(db)) === masterKeys.current().id) {
    if (!existsSync(`${file}.next`)) makeNext(file);
    promoteNextKey(file);
  }
  const { id } = masterKeys.current();
  const customers = await listTenants(db);
  for (const customerId of customers) await vault.rewrap(customerId);
  await registerMasterKey(db, id);
  await db.tenant([INSTALLATION], (tx) =>
    recordAct(tx, clock, operatorAct(INSTALLATION, 'vault.master-rotated'), { details: { masterKeyId: id } }),
  );
  const text = `Master key ${id} is in force. ${file}.previous opens backups made before; keep it with them or destroy it.`;
  return { json: { master_key_id: id, customers: customers.length }, text };
}

function makeNext(file: string): void {
  if (existsSync(`${file}.previous`))
    throw new Error(`${file}.previous is still there: put it to the backups that it opens, or destroy it`);
  createMasterKeyFile(`${file}.next`);
}

export const vaultDestroy: Command = {
  name: 'vault destroy',
  usage: '--customer ID --confirm USERNAME',
  about: "destroy a customer's keys: nothing stored for it can be read again",
  options: { customer: { type: 'string' }, confirm: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = customerOption(invocation);
      const known = (await listCustomers(installation.db)).find((customer) => customer.id === customerId);
      if (known?.username !== required(invocation, 'confirm'))
        throw new UsageError('--confirm takes the username of the customer');
      const { backupsExpireOn } = await destroyCustomerKeys(
        { ...installation, store: installation.keyStore, backupDays: installation.config.retention.backupDays },
        operatorAct(customerId, 'vault.destroyed'),
      );
      const backups =
        backupsExpireOn === null ? 'Backups never held them.' : `Backups that hold them expire on ${backupsExpireOn}.`;
      return { json: { id: customerId, backups_expire_on: backupsExpireOn }, text: `Keys destroyed. ${backups}` };
    }),
};
