import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { type CheckDeps, checkDomain } from './check.ts';
import { findDomainNamed } from './sending-domain.ts';
import { type HasOpenSends, sweepKeys } from './sweep-keys.ts';
import '../tables.ts';

const PAGE = 20;
const DAYS_KEPT_MS = 60 * 24 * 3600_000;

/** Checks every sending domain of every customer, a page at a time, and sweeps keys and counts that are past. */
export async function checkAllDomains(deps: CheckDeps & { log: Log; hasOpenSends: HasOpenSends }): Promise<void> {
  let after: string | null = null;
  do {
    const page = await nextPage(deps, after);
    await Promise.all(page.map((each) => checkOne(deps, each)));
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
  } while (after !== null);
  await sweepKeys(deps);
  await sweepDays(deps);
}

interface Named {
  id: string;
  customer_id: number;
  domain: string;
}

function nextPage({ db }: CheckDeps, after: string | null): Promise<Named[]> {
  return db.untenanted((tx) => {
    let query = tx.selectFrom('sending_domains').select(['id', 'customer_id', 'domain']);
    if (after !== null) query = query.where('id', '>', after);
    return query.orderBy('id').limit(PAGE).execute();
  });
}

async function checkOne(deps: CheckDeps & { log: Log }, { id, customer_id: customerId, domain }: Named): Promise<void> {
  const { db, clock, returnPathDomain } = deps;
  const context = { now: clock.now(), returnPathDomain };
  const act = {
    customerId,
    actor: { kind: 'worker', id: 'domains' } as const,
    action: 'domain.checked',
    requestId: null,
  };
  try {
    const found = await db.tenant([customerId], (tx) => findDomainNamed(tx, context, customerId, domain));
    if (found !== null) await checkDomain(deps, act, found);
  } catch (error) {
    // It may have been taken away meanwhile; whatever happens to one does not keep the others from being checked.
    if (!(error instanceof AppError)) deps.log.warn({ err: error, domainId: id }, 'a sending domain was not checked');
  }
}

async function sweepDays({ db, clock }: CheckDeps): Promise<void> {
  const first = new Date(clock.now().getTime() - DAYS_KEPT_MS).toISOString().slice(0, 10);
  await db.untenanted((tx) => tx.deleteFrom('sending_days').where('day', '<', first).execute());
}
