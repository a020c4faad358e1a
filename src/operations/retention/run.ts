import {
  hasHolds,
  listTenants,
  type RetentionTimes,
  removeOldAudit,
  retentionOf,
  type SigningKey,
  shareHolds,
} from '../../accounts/index.ts';
import { sweepLog } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { removeOldRuns } from '../backup/index.ts';
import { dropEmptyMonths } from './drop-months.ts';
import { removeAgreements } from './remove-agreements.ts';
import { removeOld } from './remove-old.ts';
import { RULES, type Rule } from './rules.ts';

const DAY_MS = 24 * 3600_000;

interface Deps {
  ownerUrl: string;
  /** The database as the worker role. */
  db: Database;
  clock: Clock;
  signingKey: SigningKey;
  /** How long the operator lets things be kept. */
  operator: RetentionTimes;
}

/** Removes everything whose time is over and that is not held, customer by customer, and then the months left empty. */
export async function removeWhatIsOver(deps: Deps): Promise<void> {
  const failures: unknown[] = [];
  const noted = (error: unknown) => void failures.push(error);
  for (const customerId of await listTenants(deps.db)) {
    await removeOf(deps, customerId, noted);
  }
  await removeOldRuns(deps).catch(noted);
  await dropEmptyMonths(deps.ownerUrl, deps.clock).catch(noted);
  if (failures.length > 0) throw failures[0];
}

/** What cannot be removed keeps neither what else is over nor the other customers waiting. */
async function removeOf(deps: Deps, customerId: number, noted: (error: unknown) => void): Promise<void> {
  const { db, clock, operator } = deps;
  try {
    const times = await db.tenant([customerId], (tx) => retentionOf(tx, customerId, operator));
    await sweepLog({ db }, customerId, daysAgo(clock, times.logDays)).catch(noted);
    for (const rule of RULES) await keepTo(deps, customerId, rule, times).catch(noted);
    await removeAgreements({ db }, customerId, clock.now()).catch(noted);
    await removeOldAudit(deps, customerId, times.auditYears);
  } catch (error) {
    noted(error);
  }
}

async function keepTo({ db, clock }: Deps, customerId: number, rule: Rule, times: RetentionTimes): Promise<void> {
  const { keptFor, atLeast = 0 } = rule;
  const days = typeof keptFor === 'number' ? keptFor : times[keptFor];
  const over = rule.over(daysAgo(clock, Math.max(days, atLeast)), customerId);
  for (let more = true; more; ) {
    more = await db.tenant([customerId], async (tx) => {
      await shareHolds(tx, customerId);
      return !(await hasHolds(tx, customerId)) && (await removeOld(tx, customerId, { ...rule, over }));
    });
  }
}

function daysAgo(clock: Clock, days: number): Date {
  return new Date(clock.now().getTime() - days * DAY_MS);
}
