import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { timeOrderedId } from '../../../platform/ids.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { recordAct } from '../../audit/record.ts';
import { INSTALLATION } from '../../audit/signing-key.ts';
import { findUnusual } from './findings.ts';
import { tallyPeriod } from './tally.ts';
import '../tables.ts';

const DAY_MS = 86_400_000;
/** What holds for the installation itself, and for customers who set nothing else. */
const DAYS = 30;
const DUE_DAYS = 7;

interface Deps {
  db: Database;
  clock: Clock;
}

interface Due {
  customer_id: number;
  since: Date;
  days: number;
  due_days: number;
}

const WORKER = { actor: { kind: 'worker', id: 'oversight' }, requestId: null } as const;

/** Makes every review whose period is over, those that were missed first; run by cron. */
export async function makeDueReviews(deps: Deps): Promise<number> {
  let made = 0;
  for (let due = await findDue(deps); due.length > 0; due = await findDue(deps)) {
    for (const each of due) await makeReview(deps, each);
    made += due.length;
  }
  return made;
}

/** The side job that tells those who should sign a review that it is overdue. */
export const TELL_OF_OVERDUE = 'reviews.tell-overdue';

/** Has those told whose reviews have turned overdue, once for each. */
export async function tellOfOverdue({ db, clock }: Deps): Promise<void> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ id: string; customerId: number }>`
      select id, customer_id as "customerId" from find_overdue_reviews(${clock.now()})`.execute(tx),
  );
  for (const { id, customerId } of rows) {
    await db.tenant([customerId], async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('activity_reviews')
        .set({ overdue_told_at: clock.now() })
        .where('customer_id', '=', customerId)
        .where('id', '=', id)
        .where('overdue_told_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      await recordAct(tx, clock, { ...WORKER, customerId, action: 'review.overdue' }, { target: id });
      await enqueueJob(tx, TELL_OF_OVERDUE, { customerId, reviewId: id }, `review-overdue/${id}`);
    });
  }
}

async function findDue({ db, clock }: Deps): Promise<Due[]> {
  const now = clock.now();
  const { rows } = await db.untenanted((tx) => sql<Due>`select * from find_due_reviews(${now})`.execute(tx));
  const own = await db.tenant([INSTALLATION], (tx) =>
    tx
      .selectFrom('activity_reviews')
      .select((eb) => eb.fn.max('period_to').as('since'))
      .where('customer_id', '=', INSTALLATION)
      .executeTakeFirst(),
  );
  const since = own?.since ?? new Date(now.getTime() - DAYS * DAY_MS);
  const installation = { customer_id: INSTALLATION, since, days: DAYS, due_days: DUE_DAYS };
  return since.getTime() + DAYS * DAY_MS <= now.getTime() ? [installation, ...rows] : rows;
}

async function makeReview({ db, clock }: Deps, due: Due): Promise<void> {
  const { customer_id: customerId, since: from, days } = due;
  const to = new Date(from.getTime() + days * DAY_MS);
  const now = await tallyPeriod(db, customerId, { from, to });
  const past = await tallyPeriod(db, customerId, { from: new Date(from.getTime() - days * DAY_MS), to: from });
  const findings = findUnusual(now, past);
  const id = timeOrderedId(clock);
  await db.tenant([customerId], async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('activity_reviews')
      .values({
        id,
        customer_id: customerId,
        period_from: from,
        period_to: to,
        findings: JSON.stringify(findings),
        made_at: clock.now(),
        due_at: new Date(clock.now().getTime() + due.due_days * DAY_MS),
      })
      .onConflict((conflict) => conflict.columns(['customer_id', 'period_from']).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return;
    const act = { ...WORKER, customerId, action: 'review.made' };
    await recordAct(tx, clock, act, { target: id, details: { findings: findings.length } });
  });
}
