import { CompiledQuery } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Query } from '../../../platform/db/database.ts';
import { isDatabaseAway } from '../../../platform/db/failure.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { DELIVERED, PERMANENT_FAILURE, TEMPORARY_FAILURE } from '../../events/names.ts';
import { batchRows, type Evidence, keysIfAny, prepareEvidence } from '../../evidence/record.ts';
import type { Met } from '../dialogue/courier.ts';
import type { Outcome } from '../dialogue/send.ts';
import { sealOfAttempt } from '../outcome/attempt-seals.ts';
import { evidenceOf } from '../outcome/evidence-of.ts';
import { metColumns } from '../outcome/met-columns.ts';
import { bouncedHard, suppressBounced } from '../outcome/suppress-bounced.ts';
import { wordsOfBounce } from '../outcome/words-of-bounce.ts';
import type { Lease } from './lease.ts';
import { nextAttempt } from './retry.ts';

/** What came of one leased recipient. */
export interface Settlement {
  lease: Lease;
  outcome: Outcome;
  /** Where it went; null where that was not even looked at. */
  address: string | null;
  /** Whom it was given to. */
  met: Met | null;
  /** Whether a notice was given in place of the content. */
  notice: boolean;
}

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  random?: () => number;
}

/**
 * Writes what came of leased recipients: the state of each, the evidence of its attempt, and the news of it. Answers
 * whether there is anybody whom the news is told to. Written once more, since the answer of the database was lost, it
 * changes nothing.
 */
export async function settle(
  { db, vault, clock, random = Math.random }: Deps,
  settlements: Settlement[],
): Promise<{ told: boolean }> {
  const now = clock.now();
  const ended = settlements.map((settlement) => ({ ...settlement, end: endOf(settlement, { now, random }) }));
  // Who was held back was not tried: there is nothing to be shown.
  const tried = ended.filter(({ address }) => address !== null);
  const evidence = await prepareEvidence(
    { vault, clock },
    tried.map((each) => evidenceOf(each, each.end, now)),
  );
  const placeOf = new Map(tried.map((each, index) => [each, evidence.places[index] ?? null]));
  const rows = await Promise.all(
    ended.map(async (each) => {
      const { lease, outcome, met, notice } = each;
      const { reply, ...end } = each.end;
      const place = placeOf.get(each) ?? null;
      return {
        message_id: lease.message_id,
        ordinal: lease.ordinal,
        attempt: lease.attempts,
        ...end,
        event: EVENT_OF[end.state],
        outcome: outcome.result,
        smtp_code: outcome.code,
        ...metColumns(met, outcome),
        notice,
        evidence_id: place?.evidenceId ?? null,
        evidence_position: place?.position ?? null,
        reply: reply === null ? null : await sealed(vault, lease, reply),
      };
    }),
  );
  const customers = [...new Set(settlements.map(({ lease }) => lease.customer_id))];
  const query = settleQuery({ customers, rows, now, evidence });
  const bounced = settlements.filter(bouncedHard);
  if (bounced.length === 0) return toldBy(await db.call<Answer>(query));
  return db.tenant(customers, async (tx) => {
    const { rows: answer } = await tx.executeQuery<Answer>(CompiledQuery.raw(query.text, query.values));
    const ours = new Set(answer[0]?.settled.map((row) => `${row.message_id}/${row.ordinal}`));
    const stillOurs = bounced.filter(({ lease }) => ours.has(`${lease.message_id}/${lease.ordinal}`));
    await suppressBounced(tx, { vault, clock }, stillOurs);
    return toldBy(answer);
  });
}

interface Answer {
  settled: { message_id: string; ordinal: number }[];
  told: boolean;
}

function toldBy([answer]: Answer[]): { told: boolean } {
  return { told: answer?.told === true };
}

interface Settled {
  customers: number[];
  rows: object[];
  now: Date;
  evidence: Evidence;
}

function settleQuery({ customers, rows, now, evidence }: Settled): Query {
  const [batches, audit] = [batchRows(evidence), evidence.audit].map((list) => JSON.stringify(list));
  const text = 'select * from settle_deliveries($1, $2, $3, $4, $5)';
  return { name: 'settle-deliveries', text, values: [customers, JSON.stringify(rows), now, batches, audit] };
}

/** Where an attempt leaves its recipient, and in whose words. */
export interface End {
  state: 'queued' | 'noticed' | 'delivered' | 'bounced';
  due_at: Date | null;
  settled_at: Date | null;
  portal: boolean;
  reply: string | null;
}

function endOf({ lease, outcome, notice }: Settlement, { now, random }: { now: Date; random(): number }): End {
  const { result, reply, tls } = outcome;
  if (result === 'delivered') {
    const over = { due_at: null, settled_at: notice ? null : now, reply };
    return { ...over, state: notice ? 'noticed' : 'delivered', portal: notice };
  }
  const tries = {
    attempts: lease.attempts,
    firstTriedAt: lease.first_tried_at,
    noTlsSince: tls === 'missing' ? lease.no_tls_since : null,
  };
  const retryAt = result === 'refused' ? null : nextAttempt({ now, random }, tries);
  if (retryAt !== null) return { state: 'queued', due_at: retryAt, settled_at: null, portal: false, reply };
  return { state: 'bounced', due_at: null, settled_at: now, portal: false, reply: wordsOfBounce(outcome) };
}

/** Where the keys of a customer were destroyed or cannot be opened, nothing can be sealed; its mail ends all the same. */
async function sealed(vault: Vault, lease: Lease, reply: string): Promise<string | null> {
  const keys = await keysIfAny(vault, lease.customer_id).catch((error: unknown) => {
    if (isDatabaseAway(error)) throw error;
    return null;
  });
  return keys === null ? null : sealOfAttempt(keys, lease, 'reply', reply);
}

/** Of a notice nothing is told until it has led to its message. */
const EVENT_OF = { noticed: null, delivered: DELIVERED, queued: TEMPORARY_FAILURE, bounced: PERMANENT_FAILURE };
