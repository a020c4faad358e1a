import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { domainOf } from '../submission/address.ts';
import type { DeliveryMode } from './delivery-mode.ts';
import { suffixesOf } from './domain-name.ts';
import { createMemory } from './memory.ts';
import '../tables.ts';

const KEPT_MS = 5_000;

/** What callers are told of a domain that they may not send from, after the name of the field. */
export const UNVERIFIED =
  'its domain is not verified for this customer; GET /sending_domains tells which records it lacks';

/** The rule that a customer sends only from domains which it has shown to be its own. */
export interface SenderRule {
  /** Throws unless a customer may send from an address; the sandbox takes all of them. */
  requireVerified(customerId: number, mode: 'live' | 'test', address: string): Promise<void>;
  /** The same as a question, within a transaction. */
  isVerified(tx: Tx, customerId: number, mode: 'live' | 'test', address: string): Promise<boolean>;
}

interface Deps {
  db: Database;
  clock: Clock;
  mode: DeliveryMode;
}

/** Builds the rule. Verified domains are known for a few seconds, since every message asks. */
export function createSenderRule({ db, clock, mode: delivery }: Deps): SenderRule {
  const known = createMemory<number, Set<string>>(clock, KEPT_MS);
  const find = (customerId: number) => db.tenant([customerId], (tx) => verifiedDomains(tx, customerId));
  return {
    async requireVerified(customerId, mode, address) {
      if (delivery === 'sandbox' || mode === 'test') return;
      if (covers(await known.of(customerId, () => find(customerId)), address)) return;
      // It may have been verified a moment ago, perhaps on another node.
      known.forget(customerId);
      if (covers(await known.of(customerId, () => find(customerId)), address)) return;
      throw new AppError('unprocessable', `headers.from: ${UNVERIFIED}`, { fields: { 'headers.from': [UNVERIFIED] } });
    },
    isVerified: async (tx, customerId, mode, address) =>
      delivery === 'sandbox' || mode === 'test' || covers(await verifiedDomains(tx, customerId), address),
  };
}

async function verifiedDomains(tx: Tx, customerId: number): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('sending_domains')
    .select('domain')
    .where('customer_id', '=', customerId)
    .where('state', '=', 'verified')
    .execute();
  return new Set(rows.map(({ domain }) => domain));
}

function covers(verified: ReadonlySet<string>, address: string): boolean {
  return suffixesOf(domainOf(address)).some((domain) => verified.has(domain));
}
