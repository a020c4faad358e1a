import { type Held, listHolds, releaseHold, setHold } from '../accounts/index.ts';
import { parseAddress } from '../email/index.ts';
import { indexesOfPerson } from '../forms/index.ts';
import { requireOwn } from '../platform/http/ownership.ts';
import type { CustomerVault } from '../platform/vault/vault.ts';
import {
  type Command,
  type Invocation,
  knownCustomer,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from './command.ts';

const OBJECTS = ['form', 'submission', 'message'] as const;

export const holdSet: Command = {
  name: 'hold set',
  usage: '--customer ID (--all | --email E | --form ID | --submission ID | --message ID) --reason TEXT',
  about: 'let nobody remove anything of a customer, of a person or of one object, whatever its age',
  options: {
    customer: { type: 'string' },
    all: { type: 'boolean' },
    email: { type: 'string' },
    form: { type: 'string' },
    submission: { type: 'string' },
    message: { type: 'string' },
    reason: { type: 'string' },
  },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const { db, vault, clock } = installation;
      const customerId = await knownCustomer(installation, invocation);
      const keys = await vault.of(customerId);
      const held = heldOf(keys, invocation);
      const reason = required(invocation, 'reason');
      const act = operatorAct(customerId, 'hold.set');
      const id = await db.tenant([customerId], (tx) => setHold(tx, { clock, keys, act, requireOwn }, held, reason));
      return { json: { id }, text: `Hold ${id}` };
    }),
};

export const holdList: Command = {
  name: 'hold list',
  usage: '--customer ID',
  about: 'the legal holds of a customer: those that stand, then those that were released',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const keys = await installation.vault.of(customerId);
      const holds = await installation.db.tenant([customerId], (tx) => listHolds(tx, keys, customerId));
      const lines = holds.map(({ id, kind, target, email, releasedAt, reason }) =>
        [id, kind, target ?? email ?? 'everything', releasedAt === null ? 'stands' : 'released', reason].join('\t'),
      );
      return { json: { data: holds }, text: lines.join('\n') };
    }),
};

export const holdRelease: Command = {
  name: 'hold release',
  usage: 'ID --customer ID --reason TEXT',
  about: 'end a legal hold; retention and deletion go on',
  options: { customer: { type: 'string' }, reason: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const { db, vault, clock } = installation;
      const [id] = invocation.positionals;
      if (id === undefined) throw new UsageError('the id of a hold is required');
      const customerId = await knownCustomer(installation, invocation);
      const keys = await vault.of(customerId);
      const reason = required(invocation, 'reason');
      const act = operatorAct(customerId, 'hold.released');
      await db.tenant([customerId], (tx) => releaseHold(tx, { clock, keys, act, requireOwn }, id, reason));
      return { json: { id }, text: `Released ${id}` };
    }),
};

function heldOf(keys: CustomerVault, { options, flags }: Invocation): Held {
  const objects = OBJECTS.filter((kind) => options[kind] !== undefined);
  const named = objects.length + Number(flags.has('all')) + Number(options.email !== undefined);
  if (named !== 1) throw new UsageError('one of --all, --email, --form, --submission and --message is required');
  const [kind] = objects;
  if (kind !== undefined) return { kind, target: options[kind] as string };
  if (flags.has('all')) return { kind: 'customer' };
  const email = parseAddress(options.email as string)?.address;
  if (email === undefined) throw new UsageError('--email takes an email address');
  return { kind: 'person', email, indexes: indexesOfPerson(keys, email) };
}
