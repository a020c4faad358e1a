import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { isHeard, listNodes } from '../../platform/nodes.ts';
import type { DashboardDeps } from '../deps.ts';
import { HEALTH_CHECKS, readHealth } from '../operator/health.ts';
import { listSideJobs, retrySideJob } from '../operator/jobs.ts';
import { readQueues } from '../operator/queues.ts';
import { readStorage } from '../operator/storage.ts';
import { Moment, MomentOrNull, momentOf, NumberOrNull, TextOrNull } from './reply-parts.ts';

const Bytes = Type.Number({ description: 'in bytes' });

/** How the installation itself is doing, for whoever runs it. */
export function operatorSystemEndpoints(deps: DashboardDeps): Endpoint[] {
  const { db, workerDb, clock, dataDir, version } = deps;
  const access = { scope: 'people', role: 'operator' } as const;
  return [
    endpoint({
      method: 'GET',
      path: '/operator/queues',
      operation: 'readQueues',
      summary: 'What waits in every queue, and since when',
      access,
      audit: null,
      reply: Type.Object({
        data: Type.Array(
          Type.Object({
            name: Type.Enum(['messages', 'mailings', 'webhooks', 'drips', 'jobs']),
            waiting: Type.Integer(),
            due: Type.Integer(),
            held: NumberOrNull,
            late: Type.Integer({ description: 'due for more than five minutes' }),
            oldest_due_at: MomentOrNull,
            more: Type.Boolean({ description: 'whether there is more than was counted' }),
          }),
        ),
      }),
      async handle() {
        const queues = await readQueues({ db, workerDb, clock });
        return {
          data: queues.map(({ oldestDueAt, ...queue }) => ({ ...queue, oldest_due_at: momentOf(oldestDueAt) })),
        };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/operator/nodes',
      operation: 'listNodes',
      summary: 'The processes of the installation',
      access,
      audit: null,
      reply: Type.Object({
        data: Type.Array(
          Type.Object({
            id: Type.String(),
            host: Type.String(),
            roles: Type.Array(Type.String()),
            version: Type.String(),
            started_at: Moment,
            seen_at: Moment,
            state: Type.Enum(['there', 'away']),
          }),
        ),
      }),
      async handle() {
        const now = clock.now();
        const nodes = await db.untenanted(listNodes);
        return {
          data: nodes.map(({ startedAt, seenAt, ...node }) => ({
            ...node,
            started_at: startedAt.toISOString(),
            seen_at: seenAt.toISOString(),
            state: isHeard({ seenAt }, now) ? ('there' as const) : ('away' as const),
          })),
        };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/operator/jobs',
      operation: 'listSideJobs',
      summary: 'Side jobs that wait, run or failed, without what they are about',
      access,
      audit: null,
      reply: Type.Object({
        data: Type.Array(
          Type.Object({
            id: Type.String(),
            task: Type.String(),
            state: Type.Enum(['waiting', 'running', 'failing', 'given_up']),
            attempts: Type.Integer(),
            max_attempts: Type.Integer(),
            run_at: Moment,
            created_at: Moment,
            error: TextOrNull,
          }),
        ),
      }),
      async handle() {
        const jobs = await listSideJobs(db);
        return {
          data: jobs.map(({ maxAttempts, runAt, createdAt, ...job }) => ({
            ...job,
            max_attempts: maxAttempts,
            run_at: runAt.toISOString(),
            created_at: createdAt.toISOString(),
          })),
        };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/operator/jobs/:id/retry',
      operation: 'retrySideJob',
      summary: 'Let a side job that failed begin again at once',
      access,
      audit: 'job.retried',
      params: Type.Object({ id: Type.String() }),
      reply: Type.Object({}),
      async handle({ act, params }) {
        await retrySideJob({ db, clock }, act, params.id);
        return {};
      },
    }),
    endpoint({
      method: 'GET',
      path: '/operator/storage',
      operation: 'readStorage',
      summary: 'What database, files and disk hold',
      access,
      audit: null,
      reply: Type.Object({
        database_bytes: Bytes,
        tables: Type.Array(
          Type.Object({ name: Type.String(), bytes: Bytes, rows: Type.Number({ description: 'an estimate' }) }),
        ),
        files: Type.Integer(),
        file_bytes: Bytes,
        disk_free_bytes: Bytes,
        disk_total_bytes: Bytes,
      }),
      async handle() {
        const { databaseBytes, tables, files, fileBytes, disk } = await readStorage(db, dataDir);
        return {
          database_bytes: databaseBytes,
          tables,
          files,
          file_bytes: fileBytes,
          disk_free_bytes: disk.freeBytes,
          disk_total_bytes: disk.totalBytes,
        };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/operator/health',
      operation: 'readHealth',
      summary: 'Whether everything that keeps the product going is well',
      access,
      audit: null,
      reply: Type.Object({
        version: Type.String(),
        checks: Type.Array(
          Type.Object({
            name: Type.Enum([...HEALTH_CHECKS]),
            state: Type.Enum(['good', 'poor', 'unknown']),
            measured: NumberOrNull,
          }),
        ),
      }),
      async handle() {
        return { version, checks: await readHealth(deps) };
      },
    }),
  ];
}
