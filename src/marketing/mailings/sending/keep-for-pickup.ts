import type { HandedOver } from '../../../email/index.ts';
import type { AdvanceDeps } from './advance.ts';
import type { CompiledSend } from './compile-send.ts';
import type { Batch } from './lease-batch.ts';
import type { Send } from './send.ts';

const ACTOR = { kind: 'worker', id: 'marketing' } as const;

/** Whether only a server that nobody can verify would take a mail: content may not go to it, a notice may. */
export function isForPickup({ tls, met }: HandedOver): boolean {
  return tls === 'unverified' && met !== null && met.judgement.mayNotice;
}

/** Gives a mail to the Email area, which keeps the content and sends a notice in its place; answers whether it was taken. */
export async function keepForPickup(
  { acceptMessages, log }: AdvanceDeps,
  { customer_id: customerId, mode }: Send,
  compiled: CompiledSend,
  person: Batch['people'][number],
): Promise<boolean> {
  const act = { customerId, actor: ACTOR, action: 'mailing.kept-for-pickup', requestId: null };
  try {
    await acceptMessages(act, { keyId: null, mode }, [compiled.letterTo(person)]);
    return true;
  } catch (error) {
    log.warn({ err: error, messageId: person.id }, 'a mail cannot be kept for pickup');
    return false;
  }
}
