import { findGrantCustomer, findKeyOwner, findUserCustomer, type ReadScope } from '../../accounts/index.ts';
import { type Affected, findAffected, recordShown } from '../../dashboard/index.ts';
import type { Installation } from '../../installation.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import {
  type Command,
  type Invocation,
  knownCustomer,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from '../command.ts';
import { readMoment } from '../read-time.ts';

/** The options that say whose reading is asked about, and what the audit log calls them. */
const READERS = { key: 'key', user: 'user', grant: 'break-glass', cli: 'cli' } as const;

export const auditWhoRead: Command = {
  name: 'audit who-read',
  usage: '(--key ID | --user ID | --grant ID | --cli USER --customer ID) --from TIME --to TIME [--people]',
  about:
    'whose records a key, a person, emergency access or a user of this command line read, from the audit log; names and addresses with --people',
  options: {
    key: { type: 'string' },
    user: { type: 'string' },
    grant: { type: 'string' },
    cli: { type: 'string' },
    customer: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    people: { type: 'boolean' },
  },
  run: (invocation) => {
    const scope = readScope(invocation);
    return withInstallation(invocation.config, async (installation) => {
      const customerId = await customerOf(installation, invocation, scope);
      const affected = await findAffected(installation, customerId, scope);
      const act = operatorAct(customerId, 'audit-log.who-read');
      const told = { target: scope.actor.id, details: { kind: scope.actor.kind }, affected };
      await installation.db.tenant([customerId], (tx) => recordShown(tx, installation.clock, act, told));
      return invocation.flags.has('people') ? withPeople(affected) : withRecords(affected);
    });
  },
};

function readScope(invocation: Invocation): ReadScope {
  const given = (['key', 'user', 'grant', 'cli'] as const).filter((name) => invocation.options[name] !== undefined);
  const [name] = given;
  if (name === undefined || given.length > 1)
    throw new UsageError('audit who-read takes one of --key, --user, --grant and --cli');
  const [from, to] = [readMoment(invocation, 'from'), readMoment(invocation, 'to')];
  if (to <= from) throw new UsageError('--to comes after --from');
  return { actor: { kind: READERS[name], id: readReader(invocation, name) }, from, to };
}

function readReader(invocation: Invocation, name: keyof typeof READERS): string {
  const text = required(invocation, name);
  if (name === 'cli') return text;
  if (invocation.options.customer !== undefined) throw new UsageError('--customer goes with --cli');
  if (!isUuid(text)) throw new UsageError(`--${name} takes an id`);
  return canonicalUuid(text);
}

async function customerOf(installation: Installation, invocation: Invocation, { actor }: ReadScope): Promise<number> {
  const { kind, id } = actor;
  if (kind === 'cli') return knownCustomer(installation, invocation);
  const { db } = installation;
  if (kind === 'key') return findKeyOwner(db, id);
  const found = kind === 'user' ? await findUserCustomer(db, id) : await findGrantCustomer(db, id);
  if (found === null) throw new Error('No such person or emergency access');
  return found;
}

function withPeople({ rows, people, nameless }: Affected) {
  const lines = people.map(({ name, email, phone, records }) =>
    [name ?? '-', email ?? '-', phone ?? '-', records.map(({ kind, id }) => `${kind} ${id}`).join(' ')].join('\t'),
  );
  const text = [...lines, `${people.length} people, ${nameless.length} records of nobody known`].join('\n');
  return { json: { rows, people, nameless }, text };
}

/** Without names: which records, for whoever may not see whose they are. */
function withRecords({ rows, people, nameless }: Affected) {
  const refs = [...people.flatMap(({ records }) => records), ...nameless].map(({ kind, id }) => ({ kind, id }));
  const lines = [...new Set(refs.map(({ kind, id }) => `${kind} ${id}`))];
  const text = [...lines, `${lines.length} records of ${people.length} people, by ${rows} rows`].join('\n');
  return { json: { rows, people: people.length, records: refs }, text };
}
