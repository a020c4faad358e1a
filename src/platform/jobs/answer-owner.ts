import type { FromProcess, ToProcess } from './own-process.ts';

type Begin<Setup, Asked> = (setup: Setup) => Promise<Answer<Asked>>;
type Answer<Asked> = (asked: Asked) => Promise<unknown>;

/** The other end of own-process.ts: answers what this process is asked, and ends with whoever started it. */
export function answerOwner<Setup, Asked>(begin: Begin<Setup, Asked>): void {
  let ready: Promise<Answer<Asked>>;
  // A signal to all processes of a group is for its owner, who lets the work under way come to its end.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  process.on('disconnect', () => process.exit());
  process.on('message', (message: ToProcess<Setup, Asked>) => {
    if ('setup' in message) {
      ready = begin(message.setup);
      ready.catch(() => {}); // told to whoever asks
    } else void answer(message);
  });

  async function answer({ id, asked }: { id: number; asked: Asked }): Promise<void> {
    try {
      say({ id, said: await (await ready)(asked) });
    } catch (error) {
      say({ id, failed: error instanceof Error ? error : new Error(String(error)) });
    }
  }
}

function say(message: FromProcess<unknown>): void {
  process.send?.(message);
}
