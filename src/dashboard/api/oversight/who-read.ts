import { Type } from 'typebox';
import { READER_KINDS, type ReadScope } from '../../../accounts/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import { readMoment } from '../../../platform/http/body/read-moment.ts';
import { type Endpoint, endpoint } from '../../../platform/http/endpoint.ts';
import { canonicalUuid, isUuid } from '../../../platform/ids.ts';
import type { DashboardDeps } from '../../deps.ts';
import { type Affected, findAffected } from '../../oversight/affected.ts';
import { recordShown } from '../../oversight/record-shown.ts';
import { Moment, TextOrNull } from '../reply-parts.ts';

const Records = Type.Array(Type.Object({ kind: Type.String(), id: Type.String() }));

const AffectedReply = Type.Object({
  rows: Type.Integer({ description: 'how many rows of the audit log tell of it' }),
  records: Type.Integer(),
  people: Type.Array(
    Type.Object({
      name: TextOrNull,
      email: TextOrNull,
      phone: TextOrNull,
      first_at: Moment,
      last_at: Moment,
      records: Records,
    }),
  ),
  nameless: Records,
});

/** Whose records a key, a person or emergency access read, from the audit log. */
export function whoReadEndpoint(deps: DashboardDeps): Endpoint {
  const { db, clock } = deps;
  return endpoint({
    method: 'GET',
    path: '/who_read',
    operation: 'whoRead',
    summary: 'Whose records a key, a person or emergency access read in a span of time, from the audit log alone',
    access: { scope: 'people', role: 'admin', fresh: true },
    audit: 'audit-log.who-read',
    query: Type.Object({
      actor_kind: Type.Enum([...READER_KINDS]),
      actor: Type.String({
        maxLength: 36,
        description:
          'the id of the key, the person or the emergency access; at the command line the name of the account',
      }),
      from: Type.String({ description: 'an RFC 3339 date and time' }),
      to: Type.String({ description: 'an RFC 3339 date and time' }),
    }),
    reply: AffectedReply,
    async handle({ act, query }) {
      const scope = readScope(query);
      const affected = await findAffected(deps, act.customerId, scope);
      const told = { target: scope.actor.id, details: { kind: scope.actor.kind }, affected };
      await db.tenant([act.customerId], (tx) => recordShown(tx, clock, act, told));
      return describeAffected(affected);
    },
  });
}

/** Reads whose reading is asked about, and when. */
export function readScope(given: {
  actor_kind: ReadScope['actor']['kind'];
  actor: string;
  from: string;
  to: string;
}): ReadScope {
  const [from, to] = [readMoment('from', given.from), readMoment('to', given.to)];
  if (given.actor === '') throw invalidField('actor', 'is required');
  if (given.actor_kind !== 'cli' && !isUuid(given.actor)) throw invalidField('actor', 'takes an id');
  if (from === null) throw invalidField('from', 'is required');
  if (to === null || to <= from) throw invalidField('to', 'takes a moment after from');
  const id = given.actor_kind === 'cli' ? given.actor : canonicalUuid(given.actor);
  return { actor: { kind: given.actor_kind, id }, from, to };
}

function describeAffected({ rows, records, people, nameless }: Affected) {
  return {
    rows,
    records,
    people: people.map(({ first, last, ...person }) => ({
      ...person,
      first_at: first.toISOString(),
      last_at: last.toISOString(),
    })),
    nameless: nameless.map(({ kind, id }) => ({ kind, id })),
  };
}
