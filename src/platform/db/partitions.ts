import type { Clock } from '../clock.ts';
import { firstIdAt } from '../ids.ts';
import { withConnection } from './pool.ts';

// Sealed rows of up to a page stay inline; the queue's rows are rewritten in place.
const STORAGE_OF = {
  audit_log: 'fillfactor = 100',
  messages: 'toast_tuple_target = 8160',
  message_contents: 'toast_tuple_target = 8160',
  message_recipients: 'fillfactor = 80',
  delivery_attempts: 'fillfactor = 80',
  evidence_batches: 'toast_tuple_target = 8160',
  message_links: 'fillfactor = 100',
  message_engagement: 'fillfactor = 80',
  link_clicks: 'fillfactor = 80',
  message_events: 'fillfactor = 100',
  webhook_deliveries: 'fillfactor = 80',
  webhook_attempts: 'fillfactor = 80',
  submissions: 'toast_tuple_target = 8160',
  submission_keys: 'fillfactor = 100',
  submission_files: 'fillfactor = 100',
  consent_changes: 'fillfactor = 100',
  mailing_recipients: 'fillfactor = 80',
  mailing_engagement: 'fillfactor = 80',
  mailing_link_clicks: 'fillfactor = 80',
  drip_visits: 'fillfactor = 90',
};
const MONTHS_AHEAD = 3;
// Row triggers of a table reach its partitions by themselves, statement triggers do not.
const REFUSE_TRUNCATE = `
  do $$ declare part regclass; begin
    for part in select inhrelid from pg_inherits where inhparent = 'audit_log'::regclass
      and not exists (select from pg_trigger where tgrelid = inhrelid and tgname = 'never_emptied')
    loop
      execute format(
        'create trigger never_emptied before truncate on %s for each statement execute function refuse_change()', part);
    end loop;
  end $$`;

/** Makes the partitions of this month and the next ones, and a default for ids from outside them. */
export async function ensurePartitions(ownerUrl: string, clock: Clock): Promise<void> {
  const today = clock.now();
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => monthOf(today, ahead));
  await withConnection(ownerUrl, async (client) => {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('carepost partitions'))`);
    const add = (...args: (string | null)[]) => client.query('call carepost_add_partition($1, $2, $3, $4, $5)', args);
    for (const [table, storage] of Object.entries(STORAGE_OF)) {
      await add(table, 'other', storage, null, null);
      for (const { suffix, start, end } of months) {
        await add(table, suffix, storage, firstIdAt(start), firstIdAt(end));
      }
    }
    await client.query(REFUSE_TRUNCATE);
    await client.query('commit');
  });
}

function monthOf(day: Date, ahead: number): { suffix: string; start: Date; end: Date } {
  const start = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + ahead));
  const end = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + ahead + 1));
  return { suffix: start.toISOString().slice(0, 7).replace('-', '_'), start, end };
}
