import { type AcceptMessages, DEFAULT_HANDLING } from '../../email/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { openExportRequest, selectBulkJobs, type WhichJob } from '../bulk/bulk-job.ts';
import { EXPORT_DAYS } from './kept-days.ts';

/** The side job that tells whoever asked for an export that it is there. */
export const EXPORT_READY = 'marketing.export-ready';

export interface TellDeps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  acceptMessages: AcceptMessages;
  systemFrom: string;
  publicUrl: string;
}

/** Tells by mail that an export is ready, and where; whoever fetches it needs a key. The mail says nothing of anybody. */
export async function tellExportReady(deps: TellDeps, { customerId, jobId }: WhichJob): Promise<void> {
  const { db, vault, acceptMessages, systemFrom, publicUrl } = deps;
  const job = await db.tenant([customerId], (tx) =>
    selectBulkJobs(tx, customerId).where('id', '=', jobId).where('state', '=', 'done').executeTakeFirst(),
  );
  if (job === undefined) return;
  const { email, mode } = openExportRequest(await vault.of(customerId), job);
  const actor = { kind: 'worker', id: 'bulk' } as const;
  const act = { customerId, actor, action: 'export.announced', requestId: null };
  await acceptMessages(act, { keyId: null, mode }, [
    {
      from: { name: 'Carepost', address: systemFrom },
      replyTo: [],
      subject: 'Your export is ready',
      headers: {},
      recipients: [{ kind: 'to', name: null, address: email }],
      text: [
        'The export of subscribers that was asked for is ready. It can be fetched with an API key of scope marketing:',
        `GET ${new URL(`/v1/marketing/bulk_jobs/${jobId}/file`, publicUrl).href}`,
        `It is kept for ${EXPORT_DAYS} days.\n`,
      ].join('\n\n'),
      html: null,
      attachments: [],
      handling: DEFAULT_HANDLING,
    },
  ]);
}
