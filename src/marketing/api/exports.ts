import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import { parseAddress } from '../../email/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { isGiven } from '../../platform/http/body/given.ts';
import { Bytes } from '../../platform/http/bytes.ts';
import { type Call, type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { createBulkJob } from '../bulk/bulk-job.ts';
import { PeopleBody, readCommonSelection, readPeopleIds } from '../bulk/read-bulk.ts';
import { findExportFile } from '../exports/find-file.ts';
import { findSubscribers } from '../subscribers/find-subscriber.ts';
import { ListId } from '../subscribers/read-subscriber.ts';
import type { Selection } from '../subscribers/selection.ts';
import type { MarketingDeps } from './deps.ts';

const Reply = Type.Object({
  data: Type.Object({ sent_to_email: Type.String(), jid: Type.String({ format: 'uuid' }) }),
});

const Email = Type.String({ description: 'Who is told that the file is ready' });
const ExportBody = Type.Object({
  ...PeopleBody.properties,
  email: Email,
  subscription_list_id: Type.Optional(ListId),
});
const SegmentBody = Type.Object({
  ...ExportBody.properties,
  dynamic_list_id: Type.String({ description: 'The segment to be exported' }),
});

/** People as CSV files, made in the background and fetched with a key. */
export function exportEndpoints({ db, vault, blobs, clock, idempotency, requireOwn }: MarketingDeps): Endpoint[] {
  /** Who is exported: those who are named, or everybody, as far as they have in common what is asked for. */
  async function readExported(tx: Tx, customerId: number, asked: Static<typeof ExportBody>): Promise<Selection> {
    const { subscriber_ids: named, subscription_list_id: listId, ...common } = asked;
    const isOfList = isGiven(listId);
    if (isOfList && isGiven(common.from_subscription_list_id)) {
      throw invalidField('subscription_list_id', 'takes no list beside from_subscription_list_id');
    }
    const wanted = isOfList ? { ...common, from_subscription_list_id: listId } : common;
    const listName = isOfList ? 'subscription_list_id' : 'from_subscription_list_id';
    const selection = await readCommonSelection(tx, requireOwn, customerId, wanted, listName);
    if (!isGiven(named)) return selection;
    const people = await findSubscribers(tx, requireOwn, customerId, readPeopleIds('subscriber_ids', named));
    return { ...selection, onlyIds: people.map(({ id }) => id) };
  }

  async function begin(
    { act, caller, idempotency: claim }: Call<unknown, unknown, unknown>,
    asked: Static<typeof ExportBody>,
  ) {
    const { customerId } = act;
    const email = readEmail(asked.email);
    const keys = await vault.of(customerId);
    return db.tenant([customerId], async (tx) => {
      const selection = await readExported(tx, customerId, asked);
      const request = { selection, email, mode: caller.mode };
      const jid = await createBulkJob(tx, { clock, keys, act }, 'export', request);
      const reply = { data: { sent_to_email: email, jid } };
      await idempotency.keepWith(tx, claim, { status: 200, body: reply });
      return reply;
    });
  }

  return [
    endpoint({
      method: 'POST',
      path: '/subscribers_export_csv',
      operation: 'exportSubscribers',
      summary: 'Export subscribers as CSV; a mail tells when the file is ready',
      access: { scope: 'marketing', fresh: true },
      audit: 'subscribers.exported',
      body: ExportBody,
      idempotent: true,
      reply: Reply,
      handle: (call) => begin(call, call.body),
    }),
    endpoint({
      method: 'POST',
      path: '/export_dynamic_list_csv',
      operation: 'exportDynamicList',
      summary: 'Export the people of a segment as CSV; a mail tells when the file is ready',
      access: { scope: 'marketing', fresh: true },
      audit: 'subscribers.exported',
      body: SegmentBody,
      idempotent: true,
      reply: Reply,
      handle: (call) => begin(call, call.body),
    }),
    endpoint({
      method: 'GET',
      path: '/bulk_jobs/:bid/file',
      operation: 'readExportFile',
      summary: 'The file of an export, kept for seven days',
      access: { scope: 'marketing', fresh: true },
      audit: 'export.read',
      params: Type.Object({ bid: Type.String() }),
      reply: Bytes,
      produces: 'text/csv',
      async handle({ act, params }) {
        const { customerId } = act;
        const { blobId, name, size } = await db.tenant([customerId], async (tx) => {
          const file = await findExportFile(tx, requireOwn, customerId, params.bid);
          await recordAct(tx, clock, act, { target: file.jobId, details: { everybody: true } });
          return file;
        });
        return {
          status: 200,
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': `attachment; filename="${name}"`,
            'content-length': String(size),
            'content-security-policy': "default-src 'none'; sandbox",
          },
          body: blobs.read(customerId, blobId),
        };
      },
    }),
  ];
}

function readEmail(text: string): string {
  if (text.trim() === '') throw invalidField('email', 'is required');
  const parsed = parseAddress(text);
  if (parsed === null) {
    throw new AppError('unprocessable', 'email is not a valid address', {
      fields: { email: ['is not a valid address'] },
    });
  }
  return parsed.address;
}
