import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { compare, type Finding } from './compare.ts';
import { keysOf } from './dkim-keys.ts';
import type { DomainDns } from './dns.ts';
import { type DnsRecord, placesOf } from './records.ts';
import { domainNotFound, findDomainNamed, findingKey, type SendingDomain } from './sending-domain.ts';
import { retire } from './sending-domains.ts';
import { nextStanding } from './standing.ts';
import '../tables.ts';

export interface CheckDeps {
  db: Database;
  dns: DomainDns;
  clock: Clock;
  returnPathDomain: string | null;
}

interface Look {
  record: DnsRecord;
  finding: Finding;
}

/** Looks for the records of a domain in DNS and writes down what that means for it, and for its keys. */
export async function checkDomain(deps: CheckDeps, act: Act, domain: SendingDomain): Promise<SendingDomain> {
  const looks = await Promise.all(domain.records.map((record) => lookFor(deps.dns, record)));
  const { db, clock, returnPathDomain } = deps;
  const { customerId } = act;
  const now = clock.now();
  return db.tenant([customerId], async (tx) => {
    const { changed, state } = await saveFindings(tx, customerId, domain, looks, now);
    // What the daily check sees day by day is no act of anybody.
    if (changed || act.actor.kind !== 'worker') {
      await recordAct(tx, clock, act, { target: domain.id, details: { domain: domain.domain, state } });
    }
    const context = { now, returnPathDomain };
    return (await findDomainNamed(tx, context, customerId, domain.domain)) as SendingDomain;
  });
}

async function lookFor(dns: DomainDns, record: DnsRecord): Promise<Look> {
  try {
    for (const place of placesOf(record)) {
      const { records } = await (record.type === 'TXT' ? dns.txt(place) : dns.cname(place));
      const finding = compare(record, records);
      if (finding.status !== 'missing') return { record, finding };
    }
    return { record, finding: { status: 'missing', found: [] } };
  } catch {
    return { record, finding: { status: 'unanswered', found: [] } };
  }
}

async function saveFindings(tx: Tx, customerId: number, { id, domain }: SendingDomain, looks: Look[], now: Date) {
  const before = await tx
    .selectFrom('sending_domains')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) throw domainNotFound();
  const hasNewKeys = await noteSeenKeys(tx, customerId, domain, looks, now);
  const after = nextStanding(before, requiredStatuses(looks), now);
  await tx
    .updateTable('sending_domains')
    .set({
      ...after,
      checked_at: now,
      findings: Object.fromEntries(looks.map(({ record, finding }) => [findingKey(record), finding])),
      return_path: isReturnPath(looks) ?? before.return_path,
    })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .execute();
  return { changed: hasNewKeys || after.state !== before.state, state: after.state };
}

/** Of the RSA keys one is enough: that of a pair which is about to sign counts for the one it replaces. */
function requiredStatuses(looks: Look[]): Finding['status'][] {
  const ofNewKey = looks.some(({ record, finding }) => isPendingRsa(record) && finding.status === 'found');
  return looks
    .filter(({ record }) => record.required)
    .map(({ record, finding }) => (record.purpose === 'dkim' && ofNewKey ? 'found' : finding.status));
}

function isPendingRsa({ key, value }: DnsRecord): boolean {
  return key === 'pending' && value.includes('k=rsa');
}

/** Whether the record of the return path is there; null where that is not known. */
function isReturnPath(looks: Look[]): boolean | null {
  const status = looks.find(({ record }) => record.purpose === 'return_path')?.finding.status;
  if (status === undefined) return false;
  return status === 'unanswered' ? null : status === 'found';
}

/** Lets keys sign whose records are there for the first time; with its RSA key a pair takes the place of the one before. */
async function noteSeenKeys(tx: Tx, customerId: number, domain: string, looks: Look[], now: Date): Promise<boolean> {
  const found = new Set(looks.filter(({ finding }) => finding.status === 'found').map(({ record }) => record.name));
  const seen = (await keysOf(tx, customerId, [domain])).filter(
    (key) => key.seen_at === null && key.retired_at === null && found.has(`${key.selector}._domainkey.${domain}`),
  );
  if (seen.length === 0) return false;
  await tx
    .updateTable('dkim_keys')
    .set({ seen_at: now })
    .where('customer_id', '=', customerId)
    .where('domain', '=', domain)
    .where(
      'selector',
      'in',
      seen.map(({ selector }) => selector),
    )
    .execute();
  const newest = seen.find(({ algorithm }) => algorithm === 'rsa');
  if (newest !== undefined) await retire(tx, { customerId, domain, before: newest.pair, at: now });
  return true;
}
