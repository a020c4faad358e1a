import type { Patience } from '../dialogue/connect.ts';
import { PeerFailure } from '../dialogue/smtp-replies.ts';
import type { Onward } from '../start.ts';
import { createFixedDestination } from './fixed-destination.ts';
import { readRelay } from './relay.ts';

const BRIEF: Patience = { connectMs: 10_000, commandMs: 10_000, finalDotMs: 10_000 };

/** Connects to the next hop and signs in there; null where that works, or else in words what does not. */
export async function checkRelay(onward: Extract<Onward, { mode: 'relay' }>): Promise<string | null> {
  const { target, signIn } = readRelay(onward.url, { ...onward, patience: BRIEF });
  const destination = createFixedDestination(target, BRIEF, 1, signIn);
  try {
    const { channel } = await destination.connect(AbortSignal.timeout(BRIEF.connectMs));
    channel.close();
    return null;
  } catch (error) {
    if (error instanceof PeerFailure) return error.message;
    throw error;
  }
}
