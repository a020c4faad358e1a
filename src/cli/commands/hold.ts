import { type Held, listHolds, releaseHold, setHold } from '../../accounts/index.ts';
import { parseAddress } from '../../email/index.ts';
import { indexesOfPerson } from '../../forms/index.ts';
import { requireOwn } from '../../platform/http/ownership.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { type Command, type Invocation, required, UsageError } from '../command.ts';
import { listed } from '../listed.ts';
import { onCustomer } from '../on-customer.ts';

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
    onCustomer(invocation, async ({ tx, clock, keys, act }) => {
      const work = { clock, keys: await keys(), act: act('hold.set'), requireOwn };
      const held = heldOf(work.keys, invocation);
      const id = await setHold(tx, work, held, required(invocation, 'reason'));
      return { json: { id }, text: `Hold ${id}` };
    }),
};

export const holdList: Command = {
  name: 'hold list',
  usage: '--customer ID',
  about: 'the legal holds of a customer: those that stand, then those that were released',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    onCustomer(invocation, async ({ tx, keys, customerId }) =>
      listed(await listHolds(tx, await keys(), customerId), ({ id, kind, target, email, releasedAt, reason }) =>
        [id, kind, target ?? email ?? 'everything', releasedAt === null ? 'stands' : 'released', reason].join('\t'),
      ),
    ),
};

export const holdRelease: Command = {
  name: 'hold release',
  takes: 'ID',
  usage: '--customer ID --reason TEXT',
  about: 'end a legal hold; retention and deletion go on',
  options: { customer: { type: 'string' }, reason: { type: 'string' } },
  run: (invocation) =>
    onCustomer(invocation, async ({ tx, clock, keys, act }) => {
      const { given: id } = invocation;
      const work = { clock, keys: await keys(), act: act('hold.released'), requireOwn };
      await releaseHold(tx, work, id, required(invocation, 'reason'));
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
