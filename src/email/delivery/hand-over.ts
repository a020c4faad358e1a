import { domainOf } from '../submission/address.ts';
import type { Courier } from './courier.ts';
import type { Outcome } from './send.ts';

/** What came of handing one message to one recipient's peer; `uncertain` where only the peer knows. */
export type HandedOver = Outcome;

export type HandOver = (mail: { returnPath: string; recipient: string; data: Buffer }) => Promise<HandedOver>;

/**
 * Builds what hands messages over at once. Whatever fails before the whole message is out was not sent; once it has
 * answered, nothing of the message is left to be sent.
 */
export function createHandOver(courier: Courier): HandOver {
  return async ({ returnPath, recipient, data }) => {
    const write = async () => ({ kind: 'content', data }) as const;
    try {
      const { outcomes } = await courier({
        domain: domainOf(recipient),
        returnPath,
        recipients: [recipient],
        letter: { kind: 'content', write, notice: null, noticeOnly: false },
        encryptedIsEnough: false,
      });
      return outcomes[0] as Outcome;
    } catch {
      return { result: 'deferred', code: null, reply: null };
    }
  };
}
