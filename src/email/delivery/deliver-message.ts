import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import type { EncryptedIsEnough } from '../domains/encrypted-is-enough.ts';
import { type Carried, type Courier, type Errand, Stopping } from './dialogue/courier.ts';
import type { Outcome } from './dialogue/send.ts';
import { releaseLeases } from './queue/held-leases.ts';
import { holdBack } from './queue/hold-back.ts';
import type { Lease } from './queue/lease.ts';
import type { Settlement } from './queue/settle.ts';
import type { StoredMessage } from './writing/load.ts';
import type { Prepared } from './writing/prepare.ts';

interface Deps {
  /** The database as the worker role. */
  db: Database;
  clock: Clock;
  log: Log;
  prepare(stored: StoredMessage): Promise<Prepared>;
  isAskedFor(stored: StoredMessage): Promise<boolean>;
  encryptedIsEnough: EncryptedIsEnough;
  courierFor(mode: StoredMessage['mode']): Courier;
  settle(settlements: Settlement[]): Promise<void>;
  /** Called with leases that are no longer ours. */
  onDone(leases: Lease[]): void;
}

/** Delivers one message to those of its recipients that are leased, each domain by itself. */
export async function deliverMessage(deps: Deps, message: StoredMessage, leases: Lease[]): Promise<void> {
  const complained = message.suppressed.some(({ reason }) => reason === 'complaint');
  // What cannot be opened is held back as any other mail is.
  const isAskedFor = complained && (await deps.isAskedFor(message).catch(() => false));
  const { held, open } = holdBack(message, leases, isAskedFor);
  if (held.length > 0) await settle(deps, held);
  if (open.length === 0) return;
  const ready = await makeReady(deps, message).catch((error: unknown) => {
    deps.log.warn({ err: error, messageId: message.id }, 'a message cannot be opened');
    return null;
  });
  if (ready === null) {
    const outcome: Outcome = { result: 'deferred', code: null, reply: 'The message cannot be opened at the moment' };
    await settle(
      deps,
      open.map((lease) => settlementOf(lease, { outcome, address: null })),
    );
    return;
  }
  const { prepared, encryptedIsEnoughFor } = ready;
  const courier = deps.courierFor(message.mode);
  const byDomain = Map.groupBy(open, (lease) => lease.domain);
  const carryTo = async ([domain, own]: [string, Lease[]]) => {
    const { errand, over } = prepared.errandFor(own, domain, encryptedIsEnoughFor(domain));
    const carried = await carry(deps, courier, errand, message).finally(over);
    if (carried === null) return releaseLeases(deps, own, deps.clock.now());
    await settle(deps, settlementsOf(own, errand, carried));
  };
  const ended = await Promise.allSettled([...byDomain].map(carryTo));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

async function makeReady(deps: Deps, message: StoredMessage) {
  const encryptedIsEnoughFor = await deps.encryptedIsEnough(message.customer_id);
  return { encryptedIsEnoughFor, prepared: await deps.prepare(message) };
}

async function settle(deps: Deps, settlements: Settlement[]): Promise<void> {
  await deps.settle(settlements);
  deps.onDone(settlements.map(({ lease }) => lease));
}

/** What goes wrong on our side is for later, like what goes wrong on the other; null where it was not begun. */
async function carry(deps: Deps, courier: Courier, errand: Errand, { id }: StoredMessage): Promise<Carried | null> {
  try {
    return await courier(errand);
  } catch (error) {
    if (error instanceof Stopping) return null;
    deps.log.warn({ err: error, messageId: id }, 'delivery attempt failed');
    const outcome: Outcome = { result: 'deferred', code: null, reply: 'The attempt failed on our side' };
    return { outcomes: errand.recipients.map(() => outcome), met: null, notice: false };
  }
}

function settlementsOf(leases: Lease[], errand: Errand, carried: Carried): Settlement[] {
  const { outcomes, met, notice } = carried;
  return leases.map((lease, place) =>
    settlementOf(lease, {
      outcome: outcomes[place] as Outcome,
      address: errand.recipients[place] as string,
      met,
      notice,
    }),
  );
}

function settlementOf(
  lease: Lease,
  rest: Pick<Settlement, 'outcome' | 'address'> & Partial<Pick<Settlement, 'met' | 'notice'>>,
): Settlement {
  return { lease, met: null, notice: false, ...rest };
}
