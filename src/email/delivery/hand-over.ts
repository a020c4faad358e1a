import type { Clock } from '../../platform/clock.ts';
import type { EncryptedIsEnough } from '../domains/encrypted-is-enough.ts';
import { domainOf } from '../submission/address.ts';
import { type Carried, type Courier, type Met, Stopping } from './dialogue/courier.ts';
import type { Outcome } from './dialogue/send.ts';

/** One message to one recipient, written and signed. */
export interface WrittenMail {
  customerId: number;
  mode: 'live' | 'test';
  returnPath: string;
  recipient: string;
  data: Buffer;
}

/** What came of handing a message to one recipient's peer, and whom that was; `uncertain` where only the peer knows. */
export interface HandedOver extends Outcome {
  startedAt: Date;
  finishedAt: Date;
  met: Met | null;
}

/** Hands a message over at once; null where it was not begun, as the product is stopping. */
export type HandOver = (mail: WrittenMail) => Promise<HandedOver | null>;

interface Deps {
  couriers: Record<WrittenMail['mode'], Courier>;
  encryptedIsEnough: EncryptedIsEnough;
  clock: Clock;
}

/**
 * Builds what hands messages over at once. Whatever fails before the whole message is out was not sent; once it has
 * answered, nothing of the message is left to be sent.
 */
export function createHandOver({ couriers, encryptedIsEnough, clock }: Deps): HandOver {
  async function carry({ customerId, mode, returnPath, recipient, data }: WrittenMail): Promise<Carried> {
    const domain = domainOf(recipient);
    const write = async () => ({ kind: 'content', data }) as const;
    return couriers[mode]({
      domain,
      returnPath,
      recipients: [recipient],
      letter: { kind: 'content', write, notice: null, noticeOnly: false },
      encryptedIsEnough: (await encryptedIsEnough(customerId))(domain),
    });
  }

  return async (mail) => {
    const startedAt = clock.now();
    try {
      const { outcomes, met } = await carry(mail);
      return { ...(outcomes[0] as Outcome), met, startedAt, finishedAt: clock.now() };
    } catch (error) {
      if (error instanceof Stopping) return null;
      const failed: Outcome = { result: 'deferred', code: null, reply: 'The attempt failed on our side' };
      return { ...failed, met: null, startedAt, finishedAt: clock.now() };
    }
  };
}
