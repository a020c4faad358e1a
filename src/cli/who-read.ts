import { findGrantCustomer, findKeyOwner, findUserCustomer, type ReadScope, recordAct } from '../accounts/index.ts';
import { type Affected, findAffected } from '../dashboard/index.ts';
import type { Database } from '../platform/db/database.ts';
import { canonicalUuid, isUuid } from '../platform/ids.ts';
import { type Command, type Invocation, operatorAct, required, UsageError, withInstallation } from './command.ts';

const KINDS = { key: 'key', user: 'user', grant: 'break-glass' } as const;

export const auditWhoRead: Command = {
  name: 'audit who-read',
  usage: '--key ID|--user ID|--grant ID --from T --to T [--people]',
  about:
    'whose records a key, a person or emergency access read, from the audit log; names and addresses with --people',
  options: {
    key: { type: 'string' },
    user: { type: 'string' },
    grant: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    people: { type: 'boolean' },
  },
  run: (invocation) => {
    const scope = readScope(invocation);
    return withInstallation(invocation.config, async (installation) => {
      const customerId = await customerOf(installation.db, scope);
      const affected = await findAffected(installation, customerId, scope);
      const act = operatorAct(customerId, 'audit-log.who-read');
      const details = { kind: scope.actor.kind, people: affected.people.length };
      await installation.db.tenant([customerId], (tx) =>
        recordAct(tx, installation.clock, act, { target: scope.actor.id, details }),
      );
      return invocation.flags.has('people') ? withPeople(affected) : withRecords(affected);
    });
  },
};

function readScope(invocation: Invocation): ReadScope {
  const given = (['key', 'user', 'grant'] as const).filter((name) => invocation.options[name] !== undefined);
  const [name] = given;
  if (name === undefined || given.length > 1)
    throw new UsageError('audit who-read takes one of --key, --user, --grant');
  const id = required(invocation, name);
  if (!isUuid(id)) throw new UsageError(`--${name} takes an id`);
  const [from, to] = [readTime(invocation, 'from'), readTime(invocation, 'to')];
  if (to <= from) throw new UsageError('--to comes after --from');
  return { actor: { kind: KINDS[name], id: canonicalUuid(id) }, from, to };
}

function readTime(invocation: Invocation, name: string): Date {
  const moment = new Date(required(invocation, name));
  if (Number.isNaN(moment.getTime())) throw new UsageError(`--${name} takes a time such as 2027-01-31T08:00:00Z`);
  return moment;
}

async function customerOf(db: Database, { actor: { kind, id } }: ReadScope): Promise<number> {
  if (kind === 'key') return findKeyOwner(db, id);
  const found = kind === 'user' ? await findUserCustomer(db, id) : await findGrantCustomer(db, id);
  if (found === null) throw new UsageError('no such person or emergency access');
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
