import { domainOf, type MailRoom, prepareAttempts, type WarmUp } from '../../../email/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { persistently } from '../../../platform/db/persistently.ts';
import type { AdvanceDeps } from './advance.ts';
import type { CompiledSend, Mail } from './compile-send.ts';
import { isForPickup, keepForPickup, noteKept } from './keep-for-pickup.ts';
import { type Batch, leaseBatch } from './lease-batch.ts';
import type { Send } from './send.ts';
import { attemptsOf, type Settlement, settle } from './settle.ts';

const AT_ONCE = 8;
/** How long after a batch was taken its last mail may begin, so that it is over before others take it for lost. */
const HAND_OVER_MS = 60_000;

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
  const settlements: Settlement[] = [];
  const count = settled.length + people.length;
  const worker = async () => {
    const room = deps.rooms.take();
    for (let person = people.pop(); person !== undefined; person = people.pop()) {
      settlements.push(await handOverOne(deps, { send, compiled, room, takenAt }, person));
    }
    deps.rooms.give(room);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (settlements.length > 0) {
    await persistently(async () => {
      const keepAttempts = await prepareAttempts({ vault, clock }, customerId, attemptsOf(settlements));
      await db.tenant([customerId], async (tx) => {
        if (warmUp !== null) await giveBack(tx, warmUp, send, { takenAt, settlements });
        await settle(tx, { keys, clock }, send, settlements);
        await noteKept(tx, clock, customerId, settlements);
        await keepAttempts(tx);
      });
    });
  }
  return count;
}

/** What did not leave from here is not counted for its domain; a message that was made of it is counted by itself. */
async function giveBack(
  tx: Tx,
  warmUp: WarmUp,
  { customer_id: customerId, sender_email: from }: Send,
  { takenAt, settlements }: { takenAt: Date; settlements: Settlement[] },
): Promise<void> {
  const count = settlements.filter(isCountedForNothing).length;
  if (count > 0) await warmUp.giveBack(tx, customerId, domainOf(from), { at: takenAt, count });
}

/** What holds a send to what its domain may send on a day; null where nothing does. */
async function warmUpOf({ warmUp }: AdvanceDeps, { mode, customer_id: customerId, sender_email: from }: Send) {
  if (warmUp === null || mode === 'test' || (await warmUp.isOver(customerId, domainOf(from)))) return null;
  return warmUp;
}

function isCountedForNothing(settlement: Settlement): boolean {
  return settlement.person.attempts === 1 && (!('handed' in settlement) || settlement.keptAs !== null);
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
