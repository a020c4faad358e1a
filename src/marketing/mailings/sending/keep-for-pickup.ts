import { recordAct } from '../../../accounts/index.ts';
import type { AcceptedMessage, HandedOver } from '../../../email/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { AdvanceDeps } from './advance.ts';
import type { CompiledSend } from './compile-send.ts';
import type { Batch } from './lease-batch.ts';
import type { Send } from './send.ts';
import type { Settlement } from './settle.ts';

const ACTOR = { kind: 'worker', id: 'marketing' } as const;
const ACCEPTED = 'mailing.made-a-message';

/** Whether only a server that nobody can verify would take a mail: content may not go to it, a notice may. */
export function isForPickup({ tls, met }: HandedOver): boolean {
  return tls === 'unverified' && met !== null && met.judgement.mayNotice;
}

/**
 * Gives a mail to the Email area, which keeps the content and sends a notice in its place. Answers the id of the message,
 * the same one where it was given within the last day and nobody knew; null where it was not taken.
 */
export async function keepForPickup(
  { acceptMessages, idempotency, log }: AdvanceDeps,
  { customer_id: customerId, mode }: Send,
  compiled: CompiledSend,
  { id, ...person }: Batch['people'][number],
): Promise<string | null> {
  const act = { customerId, actor: ACTOR, action: ACCEPTED, requestId: null };
  try {
    const claim = await idempotency.claim(customerId, ACCEPTED, id, null);
    const { body } = await idempotency.once(claim, async () => {
      const letter = compiled.letterTo({ id, ...person });
      const accepted = await acceptMessages(act, { keyId: null, mode }, [letter], { claim, bodyOf });
      return { status: 200, body: bodyOf(accepted) };
    });
    return (body as { message: string }).message;
  } catch (error) {
    log.warn({ err: error, messageId: id }, 'a mail cannot be kept for pickup');
    return null;
  }
}

function bodyOf([accepted]: AcceptedMessage[]) {
  return { message: accepted?.sourceTrackingId };
}

/** Writes down which message was made of which mail. */
export async function noteKept(tx: Tx, clock: Clock, customerId: number, settlements: Settlement[]): Promise<void> {
  const act = { customerId, actor: ACTOR, action: 'mailing.kept-for-pickup', requestId: null };
  for (const settlement of settlements) {
    if (!('handed' in settlement) || settlement.keptAs === null) continue;
    await recordAct(tx, clock, act, { target: settlement.person.id, details: { message: settlement.keptAs } });
  }
}
