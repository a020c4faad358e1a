import type { Reply } from './app.ts';
import { eventually } from './eventually.ts';

/** Many at once wait for the connections of a node: on a busy machine some of them get 503 after two seconds, and ask again. */
export function untilServed(ask: () => Promise<Reply>): Promise<Reply> {
  return eventually(async () => {
    const reply = await ask();
    return reply.status !== 503 && reply;
  });
}
