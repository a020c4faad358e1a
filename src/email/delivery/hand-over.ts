import type { ChannelPool } from './channel-pool.ts';
import { type Dispatch, type Outcome, sendMessage, Unanswered } from './send.ts';

/** What came of handing one message to one recipient's peer; `uncertain` where only the peer knows. */
export type HandedOver = Outcome | { result: 'uncertain'; code: null; reply: null };

export type HandOver = (dispatch: Pick<Dispatch, 'returnPath' | 'data'> & { recipient: string }) => Promise<HandedOver>;

/** Builds what hands messages over on pooled channels. Whatever fails before the whole message is out was not sent. */
export function createHandOver(channels: ChannelPool): HandOver {
  return async ({ returnPath, recipient, data }) => {
    try {
      return await channels.use(async (channel) => {
        const [outcome] = await sendMessage(channel, { returnPath, recipients: [recipient], data });
        return outcome as Outcome;
      });
    } catch (error) {
      return { result: error instanceof Unanswered ? 'uncertain' : 'deferred', code: null, reply: null };
    }
  };
}
