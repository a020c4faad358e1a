import type { MailRoom } from '../../../email/index.ts';
import type { AdvanceDeps } from './advance.ts';
import type { CompiledSend, Mail } from './compile-send.ts';
import { type Batch, leaseBatch } from './lease-batch.ts';
import type { Send } from './send.ts';
import { type Settlement, settle } from './settle.ts';

const AT_ONCE = 8;
/** How long after a batch was taken its last mail may begin, so that it is over before others take it for lost. */
const HAND_OVER_MS = 60_000;

type Person = Batch['people'][number];

/** Sends to the next people of a send and writes what came of it; answers for how many. */
export async function handOverBatch(deps: AdvanceDeps, send: Send): Promise<number> {
  const { db, vault, clock } = deps;
  const keys = await vault.of(send.customer_id);
  const compiled = await deps.compiled.of(send);
  const takenAt = clock.now();
  const { people, settled } = await db.tenant([send.customer_id], async (tx) => {
    const batch = await leaseBatch(tx, { keys, clock }, send);
    // Nothing is sent to these, so nothing of it may ever look as if it had been.
    if (batch.settled.length > 0) await settle(tx, { keys, clock }, send, batch.settled);
    return batch;
  });
  const settlements: Settlement[] = [];
  const count = settled.length + people.length;
  const worker = async () => {
    const room = deps.rooms.take();
    for (let person = people.pop(); person !== undefined; person = people.pop()) {
      settlements.push(await handOverOne(deps, compiled, person, { room, takenAt }));
    }
    deps.rooms.give(room);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (settlements.length > 0) {
    await db.tenant([send.customer_id], (tx) => settle(tx, { keys, clock }, send, settlements));
  }
  return count;
}

async function handOverOne(
  deps: AdvanceDeps,
  compiled: CompiledSend,
  person: Person,
  { room, takenAt }: { room: MailRoom; takenAt: Date },
): Promise<Settlement> {
  const now = deps.clock.now();
  if (now.getTime() - takenAt.getTime() > HAND_OVER_MS) return { person, putOffUntil: now, paced: false };
  const mail = await writeMail(deps, compiled, person, room);
  if (mail === null) return { person, leftOut: { state: 'excluded', rule: 'cannot_be_written' } };
  const handed = await deps.handOver(mail);
  deps.metrics.deliveries.inc({ outcome: handed.result });
  return { person, handed };
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
