import { setTimeout as sleep } from 'node:timers/promises';
import { domainOf, type MailRoom, type WarmUp } from '../../../email/index.ts';
import type { AdvanceDeps } from './advance.ts';
import type { CompiledSend, Mail } from './compile-send.ts';
import { isForPickup, keepForPickup } from './keep-for-pickup.ts';
import { renewLeases } from './lease.ts';
import { type Batch, leaseBatch } from './lease-batch.ts';
import type { Send } from './send.ts';
import { type Settlement, settle } from './settle.ts';
import { writeSettlements } from './write-settlements.ts';

const AT_ONCE = 8;
/** How long after a batch was taken its last mail may begin: what waits longer has a turn with others again. */
const HAND_OVER_MS = 60_000;
/** While a server takes its time, what came of the others is written down. */
const SETTLE_MS = 20_000;

type Person = Batch['people'][number];

/** Sends to the next people of a send and writes what came of it; answers for how many. */
export async function handOverBatch(deps: AdvanceDeps, send: Send): Promise<number> {
  const { db, vault, clock } = deps;
  const { customer_id: customerId } = send;
  const keys = await vault.of(customerId);
  const compiled = await deps.compiled.of(send);
  const warmUp = await warmUpOf(deps, send);
  const takenAt = clock.now();
  const { people, settled } = await db.tenant([customerId], async (tx) => {
    const batch = await leaseBatch(tx, { keys, clock, warmUp }, send);
    // Nothing is sent to these, so nothing of it may ever look as if it had been.
    if (batch.settled.length > 0) await settle(tx, { keys, clock }, send, batch.settled);
    return batch;
  });
  const count = settled.length + people.length;
  const open = new Set(people);
  const ended: Settlement[] = [];
  const work = async () => {
    const room = deps.rooms.take();
    for (let person = people.pop(); person !== undefined; person = people.pop()) {
      ended.push(await handOverOne(deps, { send, compiled, room, takenAt }, person));
      open.delete(person);
    }
    deps.rooms.give(room);
  };
  const writeEnded = async () => {
    const settlements = [...ended];
    await writeSettlements(deps, { send, keys, warmUp, takenAt }, settlements);
    ended.splice(0, settlements.length);
  };
  await during(Promise.all(Array.from({ length: AT_ONCE }, work)), deps.settleMs ?? SETTLE_MS, async () => {
    const noted = (error: unknown) =>
      deps.log.warn({ err: error, sendId: send.id }, 'a batch of mails is written later');
    await renewLeases(deps, send, [...open]).catch(noted);
    await writeEnded().catch(noted);
  });
  await writeEnded();
  return count;
}

/** Does something every so often for as long as work lasts. */
async function during(work: Promise<unknown>, ms: number, look: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const whole = work.finally(() => over.abort());
  whole.catch(() => undefined); // it is waited for below
  while (!over.signal.aborted) {
    await sleep(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
    if (!over.signal.aborted) await look();
  }
  await whole;
}

/** What holds a send to what its domain may send on a day; null where nothing does. */
async function warmUpOf(
  { warmUp }: AdvanceDeps,
  { mode, customer_id: customerId, sender_email: from }: Send,
): Promise<WarmUp | null> {
  if (warmUp === null || mode === 'test' || (await warmUp.isOver(customerId, domainOf(from)))) return null;
  return warmUp;
}

interface Work {
  send: Send;
  compiled: CompiledSend;
  room: MailRoom;
  takenAt: Date;
}

async function handOverOne(deps: AdvanceDeps, work: Work, person: Person): Promise<Settlement> {
  const { send, compiled, room, takenAt } = work;
  const now = deps.clock.now();
  if (now.getTime() - takenAt.getTime() > HAND_OVER_MS) return { person, putOffUntil: now, paced: false };
  const mail = await writeMail(deps, compiled, person, room);
  if (mail === null) return { person, leftOut: { state: 'excluded', rule: 'cannot_be_written' } };
  const handed = await deps.handOver({ customerId: send.customer_id, mode: send.mode, ...mail });
  if (handed === null) return { person, putOffUntil: now, paced: false };
  deps.metrics.deliveries.inc({ outcome: handed.result });
  const keptAs = isForPickup(handed) ? await keepForPickup(deps, send, compiled, person) : null;
  return { person, handed, keptAs };
}

/** One person whose mail cannot be written must not hold up the others. */
async function writeMail(
  { log }: AdvanceDeps,
  compiled: CompiledSend,
  person: Person,
  room: MailRoom,
): Promise<Mail | null> {
  try {
    return await compiled.mailTo(person, room);
  } catch (error) {
    log.error({ err: error, messageId: person.id }, 'a mail cannot be written');
    return null;
  }
}
