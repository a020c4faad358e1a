import { sql } from 'kysely';
import type { MailRooms } from '../../../email/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { compileFilters } from '../../segments/compile.ts';
import type { Filters } from '../../segments/filters/filters.ts';
import { writeAudiencePage } from './audience.ts';
import { cancelPage } from './cancel.ts';
import type { CompiledSends } from './compiled-sends.ts';
import { finishIfDone } from './finish.ts';
import { handOverBatch } from './hand-over-batch.ts';
import type { MailingsDeps } from './lane.ts';
import { keepTargets } from './links.ts';
import { type Send, selectSends } from './send.ts';
import '../../tables.ts';

const MOST_OPEN = 200;

export interface AdvanceDeps extends MailingsDeps {
  compiled: CompiledSends;
  rooms: MailRooms;
  /** Aborted when the product stops: no mail would be begun, and taking it would only be work. */
  halted: AbortSignal;
  /** What a test may move: how long what came of mails waits for the others of its batch. */
  settleMs?: number;
}

/** Takes every send that is under way one step further, whoever's it is, and answers how much was done. */
export async function advanceSends(deps: AdvanceDeps): Promise<number> {
  let done = 0;
  if (deps.halted.aborted) return 0;
  for (const send of await openSends(deps)) {
    if (deps.halted.aborted) return 0;
    try {
      done += await advance(deps, send);
    } catch (error) {
      deps.log.error({ err: error, sendId: send.id }, 'send failed to advance');
    }
  }
  return done;
}

async function openSends({ db, clock }: AdvanceDeps): Promise<Send[]> {
  return db.untenanted((tx) =>
    selectSends(tx)
      .where('finished_at', 'is', null)
      .where(sql<boolean>`state not in ('paused', 'needs_decision')`) // in the words of the index
      .where('send_at', '<=', clock.now())
      .orderBy(sql`random()`) // so that nobody's sends always come last
      .limit(MOST_OPEN)
      .execute(),
  );
}

async function advance(deps: AdvanceDeps, send: Send): Promise<number> {
  if (send.state === 'scheduled') return begin(deps, send);
  if (send.state === 'preparing') return prepare(deps, send);
  if (send.state === 'cancelled') return deps.db.tenant([send.customer_id], (tx) => cancelPage(tx, deps.clock, send));
  const handled = await handOverBatch(deps, send);
  if (handled === 0) await finishIfDone(deps, send);
  return handled;
}

async function begin({ db, clock }: AdvanceDeps, { id, customer_id: customerId }: Send): Promise<number> {
  const now = clock.now();
  await db.tenant([customerId], (tx) =>
    tx
      .updateTable('campaign_mailing_sends')
      .set({ state: 'preparing', started_at: now, updated_at: now })
      .where('id', '=', id)
      .where('state', '=', 'scheduled')
      .execute(),
  );
  return 1;
}

/** Writes one page of the audience, under a lock that lets one process write it at a time; the last one lets it go out. */
async function prepare(deps: AdvanceDeps, { id, customer_id: customerId, ...rest }: Send): Promise<number> {
  const { targets } = await deps.compiled.of({ id, customer_id: customerId, ...rest });
  const keys = await deps.vault.of(customerId);
  return deps.db.tenant([customerId], async (tx) => {
    const send = await lockedSend(tx, id);
    if (send === null || send.state !== 'preparing') return 0;
    const at = send.started_at as Date;
    const segment = send.filters === null ? null : compileFilters(send.filters as Filters, { customerId, at });
    const isLast = send.drip_id !== null || (await writeAudiencePage(tx, deps.clock, send, segment));
    if (isLast) await letGoOut(tx, { ...deps, keys }, send, targets);
    return 1;
  });
}

async function letGoOut(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  send: Send,
  targets: string[],
): Promise<void> {
  await keepTargets(tx, { clock, keys }, send, targets);
  await tx
    .updateTable('campaign_mailing_sends')
    .set({ state: 'sending', updated_at: clock.now() })
    .where('id', '=', send.id)
    .execute();
}

async function lockedSend(tx: Tx, id: number): Promise<Send | null> {
  return (await selectSends(tx).where('id', '=', id).forUpdate().skipLocked().executeTakeFirst()) ?? null;
}
