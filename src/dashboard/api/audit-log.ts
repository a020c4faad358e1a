import { type Static, Type } from 'typebox';
import {
  type AuditEntry,
  type AuditFilter,
  askForVerification,
  listAuditActions,
  readAuditLog,
  readVerification,
  recordAct,
  walkAuditLog,
} from '../../accounts/index.ts';
import { csvLine } from '../../platform/csv.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { readMoment } from '../../platform/http/body/read-moment.ts';
import { Bytes } from '../../platform/http/bytes.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { contentDisposition } from '../../platform/http/pages/content-disposition.ts';
import { isUuid } from '../../platform/ids.ts';
import type { DashboardDeps } from '../deps.ts';
import { Moment, MomentOrNull, momentOf, NumberOrNull, TextOrNull } from './reply-parts.ts';

const DEFAULT_LIMIT = 50;
const MOST = 200;
const CSV_COLUMNS = ['time', 'actor kind', 'actor', 'actor id', 'action', 'target', 'request', 'details'];

const FILTER = {
  actor: Type.Optional(Type.String({ maxLength: 200, description: 'the id of a person or a key' })),
  action: Type.Optional(Type.String({ maxLength: 100, description: 'how the action begins' })),
  target: Type.Optional(Type.String({ maxLength: 200 })),
  from: Type.Optional(Type.String({ description: 'an RFC 3339 date and time' })),
  to: Type.Optional(Type.String({ description: 'an RFC 3339 date and time' })),
};

const EntryReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  at: Moment,
  actor: Type.Object({ kind: Type.String(), id: Type.String(), name: TextOrNull }),
  action: Type.String(),
  target: TextOrNull,
  request_id: TextOrNull,
  details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
});

const VerificationReply = Type.Object({
  state: Type.Enum(['never', 'running', 'sound', 'broken']),
  asked_at: MomentOrNull,
  finished_at: MomentOrNull,
  checked: Type.Integer(),
  total: Type.Integer(),
  fault: Type.Union([Type.Object({ row: NumberOrNull, reason: Type.String() }), Type.Null()]),
});

/** What was done by whom, and whether the log of it is whole. */
export function auditLogEndpoints({ db, clock }: DashboardDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/audit_log',
      operation: 'listAuditLog',
      summary: 'What was done by whom, newest first; a page may hold less than asked for and still have a next one',
      access: { scope: 'people', role: 'admin' },
      audit: null,
      query: Type.Object({
        ...FILTER,
        after: Type.Optional(Type.String({ description: 'the `next` of the last page' })),
        limit: Type.Optional(
          Type.String({ pattern: '^\\d*$', description: `1 to ${MOST}, ${DEFAULT_LIMIT} by default` }),
        ),
      }),
      reply: Type.Object({ data: Type.Array(EntryReply), next: TextOrNull }),
      async handle({ act: { customerId }, query }) {
        const limit = Math.min(Math.max(1, Number(query.limit || DEFAULT_LIMIT)), MOST);
        const before = readCursor(query.after);
        const wanted = readFilter(query);
        const page = await db.tenant([customerId], (tx) => readAuditLog(tx, customerId, wanted, { limit, before }));
        return { data: page.entries.map(describe), next: page.next };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/audit_log/actions',
      operation: 'listAuditActions',
      summary: 'The actions that stand in the log, to choose from',
      access: { scope: 'people', role: 'admin' },
      audit: null,
      reply: Type.Object({ data: Type.Array(Type.String()) }),
      handle: ({ act: { customerId } }) =>
        db.tenant([customerId], async (tx) => ({ data: await listAuditActions(tx, customerId) })),
    }),
    endpoint({
      method: 'GET',
      path: '/audit_log/csv',
      operation: 'exportAuditLog',
      summary: 'The log as CSV, by the same filters',
      access: { scope: 'people', role: 'admin', fresh: true },
      audit: 'audit-log.exported',
      query: Type.Object(FILTER),
      produces: 'text/csv',
      reply: Bytes,
      async handle({ act, query }) {
        const wanted = readFilter(query);
        await db.tenant([act.customerId], (tx) => recordAct(tx, clock, act, {}));
        const name = `audit-log-${clock.now().toISOString().slice(0, 10)}.csv`;
        return {
          status: 200,
          headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': contentDisposition(name, name) },
          body: csvOf(walkAuditLog(db, act.customerId, wanted)),
        };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/audit_log/verification',
      operation: 'readAuditVerification',
      summary: 'Whether the log was found whole when it was last verified, or how far that has come',
      access: { scope: 'people', role: 'admin' },
      audit: null,
      reply: VerificationReply,
      handle: ({ act: { customerId } }) => db.tenant([customerId], (tx) => verificationOf(tx, customerId)),
    }),
    endpoint({
      method: 'POST',
      path: '/audit_log/verification',
      operation: 'verifyAuditLog',
      summary: 'Verify the log now, in the background',
      access: { scope: 'people', role: 'admin' },
      audit: 'audit-log.verification-asked',
      reply: VerificationReply,
      handle: ({ act }) =>
        db.tenant([act.customerId], async (tx) => {
          await askForVerification(tx, clock, act);
          return verificationOf(tx, act.customerId);
        }),
    }),
  ];
}

async function verificationOf(tx: Tx, customerId: number): Promise<Static<typeof VerificationReply>> {
  const known = await readVerification(tx, customerId);
  if (known === null) return { state: 'never', asked_at: null, finished_at: null, checked: 0, total: 0, fault: null };
  const { fault, finishedAt, askedAt, checked, total } = known;
  const ended = fault === null ? 'sound' : 'broken';
  return {
    state: finishedAt === null ? 'running' : ended,
    asked_at: askedAt.toISOString(),
    finished_at: momentOf(finishedAt),
    checked,
    total: Math.max(total, checked),
    fault: fault === null ? null : { row: fault.seq, reason: fault.reason },
  };
}

type FilterQuery = Partial<Record<keyof typeof FILTER, string>>;

function readFilter({ actor, action, target, from, to }: FilterQuery): AuditFilter {
  return {
    actor: actor || null,
    action: action || null,
    target: target || null,
    from: readMoment('from', from || undefined),
    to: readMoment('to', to || undefined),
  };
}

function readCursor(after: string | undefined): string | null {
  if (after === undefined || after === '') return null;
  if (!isUuid(after)) throw invalidField('after', 'takes the next of the last page');
  return after;
}

function describe(entry: AuditEntry): Static<typeof EntryReply> {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor: { kind: entry.actorKind, id: entry.actorId, name: entry.actorName },
    action: entry.action,
    target: entry.target,
    request_id: entry.requestId,
    details: entry.details,
  };
}

async function* csvOf(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(csvLine(CSV_COLUMNS));
  for await (const entries of pages) {
    yield Buffer.from(entries.map((entry) => csvLine(cellsOf(entry))).join(''));
  }
}

function cellsOf({ at, actorKind, actorName, actorId, action, target, requestId, details }: AuditEntry): string[] {
  const told = details === null ? '' : JSON.stringify(details);
  return [at.toISOString(), actorKind, actorName ?? '', actorId, action, target ?? '', requestId ?? '', told];
}
