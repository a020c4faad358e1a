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
const UNVERIFIED = 'its domain is not verified for this customer; GET /sending_domains tells which records it lacks';

/** What they are told where the domain is the customer's, and not one of the key's. */
const NOT_OF_KEY = 'its domain is not among those that this key may send from';

/** The rule that a customer sends only from domains which it has shown to be its own, and a key only from those it names. */
export interface SenderRule {
  /** Throws unless a customer may send from an address; the sandbox takes all of them. */
  requireAllowed(customerId: number, mode: 'live' | 'test', address: string): Promise<void>;
  /** Why a customer may not send from an address, within a transaction; null where it may. */
  refusal(tx: Tx, customerId: number, mode: 'live' | 'test', address: string): Promise<string | null>;
  /** The rule for a caller: a key may name domains, in the sandbox too. */
  of(caller: { keyId: string | null; sendingDomains?: readonly string[] }): SenderRule;
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
  const rule: SenderRule = {
    async requireAllowed(customerId, mode, address) {
      if (delivery === 'sandbox' || mode === 'test') return;
      if (covers(await known.of(customerId, () => find(customerId)), address)) return;
      // It may have been verified a moment ago, perhaps on another node.
      known.forget(customerId);
      if (covers(await known.of(customerId, () => find(customerId)), address)) return;
      throw refusedFrom(UNVERIFIED);
    },
    async refusal(tx, customerId, mode, address) {
      if (delivery === 'sandbox' || mode === 'test') return null;
      return covers(await verifiedDomains(tx, customerId), address) ? null : UNVERIFIED;
    },
    of: ({ sendingDomains = [] }) => (sendingDomains.length === 0 ? rule : within(rule, new Set(sendingDomains))),
  };
  return rule;
}

function within(rule: SenderRule, domains: ReadonlySet<string>): SenderRule {
  return {
    of: () => within(rule, domains),
    async requireAllowed(customerId, mode, address) {
      if (!covers(domains, address)) throw refusedFrom(NOT_OF_KEY);
      await rule.requireAllowed(customerId, mode, address);
    },
    refusal: async (tx, customerId, mode, address) =>
      covers(domains, address) ? rule.refusal(tx, customerId, mode, address) : NOT_OF_KEY,
  };
}

/** What a caller is answered whose message may not leave from where it is from. */
export function refusedFrom(why: string): AppError {
  return new AppError('unprocessable', `headers.from: ${why}`, { fields: { 'headers.from': [why] } });
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

function covers(domains: ReadonlySet<string>, address: string): boolean {
  return suffixesOf(domainOf(address)).some((domain) => domains.has(domain));
}
