import { type Static, Type } from 'typebox';
import { PageInfo, Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { findProgress, listProgress, type Progress } from '../bulk/progress.ts';
import { pageInfo, readPage } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';

const Time = Type.String({ format: 'date-time' });

const JobReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Type.String({ description: 'subscribe, unsubscribe, export, enrol, move or send' }),
  state: Type.String(),
  total_jobs: Type.Integer({ description: 'How many people it is about' }),
  failures: Type.Integer(),
  pending: Type.Integer({ description: 'How many are still to be done; at least 1 until the job is over' }),
  created_at: Time,
  finished_at: Type.Union([Time, Type.Null()]),
});

const PAGE = { items: 50, most: 1_000 };

/** How far work on many people has come. */
export function bulkJobEndpoints({ db, requireOwn }: MarketingDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/bulk_jobs',
      operation: 'listBulkJobs',
      summary: 'Work on many people, the newest first',
      access: { scope: 'marketing', role: 'editor' },
      audit: null,
      query: Type.Object({ page: Parameter('1 and up'), items: Parameter('Page size, 50 by default, 1000 at most') }),
      reply: Type.Object({ data: Type.Array(JobReply), page_info: PageInfo }),
      async handle({ caller: { customerId }, query }) {
        const page = readPage(query, PAGE);
        const { jobs, total } = await db.tenant([customerId], (tx) => listProgress(tx, customerId, page));
        return { data: jobs.map(describe), page_info: pageInfo(total, page) };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/bulk_jobs/:bid',
      operation: 'readBulkJob',
      summary: 'How far a bulk job, or a send of a mailing, has come',
      access: { scope: 'marketing', role: 'editor' },
      audit: null,
      params: Type.Object({ bid: Type.String({ description: 'The jid or X-Job-Id that was given for it' }) }),
      reply: Type.Object({ data: JobReply }),
      handle: ({ caller: { customerId }, params }) =>
        db.tenant([customerId], async (tx) => ({
          data: describe(await findProgress(tx, requireOwn, customerId, params.bid)),
        })),
    }),
  ];
}

function describe({
  id,
  kind,
  state,
  total,
  failures,
  pending,
  createdAt,
  finishedAt,
}: Progress): Static<typeof JobReply> {
  return {
    id,
    kind,
    state,
    total_jobs: total,
    failures,
    pending,
    created_at: createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
