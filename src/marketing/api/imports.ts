import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import type { StoredBlob } from '../../platform/blob/sealed-blobs.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField, missingField } from '../../platform/errors.ts';
import { streamed } from '../../platform/http/body/body-stream.ts';
import { PageInfo, Parameter } from '../../platform/http/body/parameter.ts';
import { Bytes } from '../../platform/http/bytes.ts';
import { onceOnly } from '../../platform/http/carry-out.ts';
import { type Call, type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { toAppError } from '../../platform/http/error-replies.ts';
import type { IdempotencyClaim } from '../../platform/http/idempotency.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { describeImport, ImportResource } from '../imports/describe.ts';
import { IMPORT_TASK, type Import, jobKeyOf } from '../imports/import.ts';
import { beginUndo, createImport, importNotFound, listImports, readImport, startImport } from '../imports/imports.ts';
import { discard, receiveFile } from '../imports/receive-file.ts';
import { listRejects, rejectsAsCsv } from '../imports/rejects.ts';
import { ImportQuery, readWanted, type Wanted } from '../imports/settings.ts';
import { pageInfo, readPage } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';

const One = Type.Object({ id: Type.String() });
const Reply = Type.Object({ data: ImportResource });
const PAGE = { items: 100, most: 1_000 };

/** Files of people, imported in the background. */
export function importEndpoints(deps: MarketingDeps): Endpoint[] {
  const { db, vault, blobStore, beginBlob, clock, idempotency, requireOwn } = deps;

  async function ownImport(tx: Tx, customerId: number, given: string): Promise<string> {
    const missing = importNotFound();
    if (!isUuid(given)) throw missing;
    const id = canonicalUuid(given);
    await requireOwn(tx, customerId, sql<number | null>`find_import_customer(${id})`, missing);
    return id;
  }

  async function write(act: Act, wanted: Wanted, blob: StoredBlob, claim: IdempotencyClaim | null) {
    return db.tenant([act.customerId], async (tx) => {
      if (wanted.listId !== null) {
        const owner = sql<number | null>`find_subscription_list_customer(${wanted.listId})`;
        await requireOwn(tx, act.customerId, owner, missingField('subscription_list_id', 'no such list'));
      }
      const made = await createImport(tx, { clock, act }, wanted, blob);
      await letWork(tx, act, made);
      const reply = { data: describeImport(made) };
      await idempotency.keepWith(tx, claim, { status: 201, body: reply });
      return reply;
    });
  }

  async function once(key: string | undefined, act: Act, wanted: Wanted, blob: StoredBlob) {
    if (key === undefined) return { body: await write(act, wanted, blob, null), replayed: false, refusal: null };
    const identity = [wanted, blob.sha256.toString('hex')];
    const claim = await idempotency.claim(act.customerId, 'createImport', key, identity);
    return onceOnly(idempotency, claim, 201, () => write(act, wanted, blob, claim));
  }

  /** Changes an import that is there and lets a job work on it. */
  function change(
    {
      act,
      params,
      idempotency: claim,
    }: Pick<Call<Static<typeof One>, unknown, unknown>, 'act' | 'params' | 'idempotency'>,
    work: (tx: Tx, id: string) => Promise<Import>,
  ) {
    return db.tenant([act.customerId], async (tx) => {
      const changed = await work(tx, await ownImport(tx, act.customerId, params.id));
      await letWork(tx, act, changed);
      const reply = { data: describeImport(changed) };
      await idempotency.keepWith(tx, claim, { status: 200, body: reply });
      return reply;
    });
  }

  return [
    endpoint({
      method: 'POST',
      path: '/imports',
      operation: 'createImport',
      summary: 'Import subscribers from a CSV file of up to 250 MB, which is the body',
      access: { scope: 'marketing', phi: true },
      audit: 'import.created',
      query: ImportQuery,
      body: streamed({ content: { 'text/csv': { schema: Type.String({ format: 'binary' }) } } }),
      status: 201,
      reply: Reply,
      async handle({ act, query, body, headers, setHeader }) {
        const wanted = readWanted(query);
        const { customerId } = act;
        const blob = await receiveFile({ beginBlob, blobStore, keys: await vault.of(customerId) }, customerId, body);
        try {
          const key = headers['idempotency-key'] as string | undefined;
          const { body: reply, replayed, refusal } = await once(key, act, wanted, blob);
          if (replayed) setHeader('idempotency-replayed', 'true');
          if (refusal !== null) throw refusal;
          if (replayed) await discard(deps, blob);
          return reply as { data: ReturnType<typeof describeImport> };
        } catch (error) {
          // After a failure of ours the import may be there all the same; files that nothing refers to are swept.
          if (toAppError(error).status < 500) await discard(deps, blob);
          throw error;
        }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/imports',
      operation: 'listImports',
      summary: 'Imports, the newest first',
      access: { scope: 'marketing', role: 'editor' },
      audit: null,
      query: Type.Object({ page: Parameter('1 and up'), items: Parameter('Page size, 100 by default, 1000 at most') }),
      reply: Type.Object({ data: Type.Array(ImportResource), page_info: PageInfo }),
      async handle({ act: { customerId }, query }) {
        const page = readPage(query, PAGE);
        const { imports, total } = await db.tenant([customerId], (tx) => listImports(tx, customerId, page));
        return { data: imports.map(describeImport), page_info: pageInfo(total, page) };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/imports/:id',
      operation: 'readImport',
      summary: 'How far an import has come and what came of it',
      access: { scope: 'marketing', role: 'editor' },
      audit: null,
      params: One,
      reply: Reply,
      handle: ({ act: { customerId }, params }) =>
        db.tenant([customerId], async (tx) => {
          const id = await ownImport(tx, customerId, params.id);
          return { data: describeImport(await readImport(tx, customerId, id)) };
        }),
    }),
    endpoint({
      method: 'GET',
      path: '/imports/:id/rejects',
      operation: 'listImportRejects',
      summary: 'The rows that were not taken, by line with the reasons, a thousand at a time',
      access: { scope: 'marketing', role: 'editor' },
      audit: null,
      params: One,
      query: Type.Object({
        after_line: Type.Optional(Type.String({ description: 'The last line of the page before' })),
      }),
      reply: Type.Object({
        data: Type.Array(Type.Object({ line: Type.Integer(), reasons: Type.Array(Type.String()) })),
      }),
      handle: ({ act: { customerId }, params, query }) =>
        db.tenant([customerId], async (tx) => {
          const { after_line: after = '0' } = query;
          if (!/^\d{1,15}$/.test(after)) throw invalidField('after_line', 'takes the number of a line');
          const id = await ownImport(tx, customerId, params.id);
          return { data: await listRejects(tx, customerId, id, Number(after)) };
        }),
    }),
    endpoint({
      method: 'GET',
      path: '/imports/:id/rejects/csv',
      operation: 'exportImportRejects',
      summary: 'All rows that were not taken as CSV, by line with the reasons',
      access: { scope: 'marketing', role: 'editor', fresh: true },
      audit: null,
      params: One,
      reply: Bytes,
      produces: 'text/csv',
      async handle({ act: { customerId }, params }) {
        const id = await db.tenant([customerId], async (tx) => {
          const own = await ownImport(tx, customerId, params.id);
          return (await readImport(tx, customerId, own)).id;
        });
        const headers = { 'content-type': 'text/csv; charset=utf-8' };
        return { status: 200, headers, body: rejectsAsCsv(db, customerId, id) };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/imports/:id/start',
      operation: 'startImport',
      summary: 'Turn a dry run that is done into the import of the same file',
      access: { scope: 'marketing', phi: true },
      audit: 'import.started',
      params: One,
      idempotent: true,
      reply: Reply,
      handle: (call) => change(call, (tx, id) => startImport(tx, { clock, act: call.act }, id)),
    }),
    endpoint({
      method: 'POST',
      path: '/imports/:id/undo',
      operation: 'undoImport',
      summary: 'Take an import back: whom it made, what it changed, and the lists that people joined by it',
      access: { scope: 'marketing' },
      audit: 'import.undone',
      params: One,
      idempotent: true,
      reply: Reply,
      handle: (call) => change(call, (tx, id) => beginUndo(tx, { clock, act: call.act }, id)),
    }),
  ];
}

function letWork(tx: Tx, { customerId }: Act, { id }: Import): Promise<void> {
  return enqueueJob(tx, IMPORT_TASK, { customerId, importId: id }, jobKeyOf(id));
}
