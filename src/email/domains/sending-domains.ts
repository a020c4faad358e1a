import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { unguessableId } from '../../platform/ids.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { addPair, keysOf } from './dkim-keys.ts';
import { makePair, type NewKey } from './key-pair.ts';
import { type DomainContext, findDomainNamed, type SendingDomain } from './sending-domain.ts';
import '../tables.ts';

const MOST_DOMAINS = 100;

/** What changing domains takes: an open transaction of the customer, and who does it. */
export interface DomainWork {
  tx: Tx;
  clock: Clock;
  act: Act;
}

/** A pair of keys for a domain, which is made before the transaction that keeps it: that takes a while. */
export interface PreparedPair {
  keys: CustomerVault;
  pair: number;
  made: NewKey[];
}

/** Makes the next pair of keys for a domain. */
export async function preparePair(
  { db, vault }: { db: Database; vault: Vault },
  customerId: number,
  domain: string,
): Promise<PreparedPair> {
  const newest = await db.tenant([customerId], (tx) => newestPair(tx, customerId, domain));
  const pair = newest + 1;
  return { keys: await vault.of(customerId), pair, made: await makePair(pair) };
}

async function newestPair(tx: Tx, customerId: number, domain: string): Promise<number> {
  return (await keysOf(tx, customerId, [domain]))[0]?.pair ?? 0;
}

/** Adds a domain with a pair of keys; one that is there already stays as it is. */
export async function addDomain(
  { tx, clock, act }: DomainWork,
  context: DomainContext,
  domain: string,
  { keys, pair, made }: PreparedPair,
): Promise<SendingDomain> {
  const { customerId } = act;
  const existing = await findDomainNamed(tx, context, customerId, domain);
  if (existing !== null) return existing;
  await requireRoom(tx, customerId);
  const id = unguessableId();
  const at = clock.now();
  await tx
    .insertInto('sending_domains')
    .values({
      id,
      customer_id: customerId,
      domain,
      challenge: `carepost-verify=${keys.blindIndex('sending domain', domain).toString('hex')}`,
      state: 'pending',
      verified_at: null,
      checked_at: null,
      missing_since: null,
      warm_up: true,
      first_sent_at: null,
      created_at: at,
    })
    .onConflict((conflict) => conflict.columns(['customer_id', 'domain']).doNothing())
    .execute();
  await retire(tx, { customerId, domain, before: pair, at });
  await addPair(tx, keys, { customerId, domain, pair, at }, made);
  await recordAct(tx, clock, act, { target: id, details: { domain } });
  return (await findDomainNamed(tx, context, customerId, domain)) as SendingDomain;
}

async function requireRoom(tx: Tx, customerId: number): Promise<void> {
  const { count } = await tx
    .selectFrom('sending_domains')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_DOMAINS) {
    throw new AppError('unprocessable', `domain: a customer has at most ${MOST_DOMAINS} sending domains`);
  }
}

/** Adds the next pair of keys, which signs once its records have been seen; one at a time. */
export async function rotateKeys(
  { tx, clock, act }: DomainWork,
  { id, domain }: SendingDomain,
  { keys, pair, made }: PreparedPair,
): Promise<void> {
  const { customerId } = act;
  await tx
    .selectFrom('sending_domains')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .forUpdate()
    .execute();
  const known = await keysOf(tx, customerId, [domain]);
  const waits = known.some((key) => key.algorithm === 'rsa' && key.seen_at === null && key.retired_at === null);
  if (waits || known.some((key) => key.pair >= pair)) {
    throw new AppError('conflict', 'Keys of this domain wait to be seen in DNS: publish their records, then check');
  }
  await addPair(tx, keys, { customerId, domain, pair, at: clock.now() }, made);
  await recordAct(tx, clock, act, { target: id, details: { domain, pair } });
}

/** Says whether a domain may send only a little on its first days. */
export async function changeWarmUp(
  { tx, clock, act }: DomainWork,
  { id, domain }: SendingDomain,
  warmUp: boolean,
): Promise<void> {
  await tx
    .updateTable('sending_domains')
    .set({ warm_up: warmUp })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', id)
    .execute();
  await recordAct(tx, clock, act, { target: id, details: { domain, warmUp } });
}

/** Takes a domain away; its keys sign on for what has been accepted, and are swept later. */
export async function removeDomain({ tx, clock, act }: DomainWork, { id, domain }: SendingDomain): Promise<void> {
  const { customerId } = act;
  await tx.deleteFrom('sending_domains').where('customer_id', '=', customerId).where('id', '=', id).execute();
  await retire(tx, { customerId, domain, before: Number.MAX_SAFE_INTEGER, at: clock.now() });
  await recordAct(tx, clock, act, { target: id, details: { domain } });
}

interface Leaving {
  customerId: number;
  domain: string;
  /** All pairs before this one. */
  before: number;
  at: Date;
}

/** Lets pairs sign no more, except where there is no other. */
export async function retire(tx: Tx, { customerId, domain, before, at }: Leaving): Promise<void> {
  await tx
    .updateTable('dkim_keys')
    .set({ retired_at: at })
    .where('customer_id', '=', customerId)
    .where('domain', '=', domain)
    .where('pair', '<', Math.min(before, 2 ** 31 - 1))
    .where('retired_at', 'is', null)
    .execute();
}
