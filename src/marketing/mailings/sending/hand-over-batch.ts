import type { AdvanceDeps } from './advance.ts';
import { leaseBatch } from './lease-batch.ts';
import { MailRoom } from './mail-room.ts';
import type { Send } from './send.ts';
import { type Settlement, settle } from './settle.ts';

const AT_ONCE = 8;

/** Sends to the next people of a send and writes what came of it; answers for how many. */
export async function handOverBatch(deps: AdvanceDeps, send: Send): Promise<number> {
  const { db, vault, clock, metrics } = deps;
  const keys = await vault.of(send.customer_id);
  const compiled = await deps.compiled.of(send);
  const { people, settled } = await db.tenant([send.customer_id], (tx) => leaseBatch(tx, { keys, clock }, send));
  const settlements: Settlement[] = [...settled];
  const worker = async () => {
    let room = new MailRoom();
    for (let person = people.pop(); person !== undefined; person = people.pop()) {
      const mail = await compiled.mailTo(person, room);
      if (mail === null) {
        settlements.push({ person, leftOut: { state: 'excluded', rule: 'cannot_be_written' } });
        continue;
      }
      const handed = await deps.handOver(mail);
      metrics.deliveries.inc({ outcome: handed.result });
      settlements.push({ person, handed });
      // Without an answer some of it may still be on its way to the socket.
      if (handed.code === null) room = new MailRoom();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (settlements.length > 0)
    await db.tenant([send.customer_id], (tx) => settle(tx, { keys, clock }, send, settlements));
  return settlements.length;
}
