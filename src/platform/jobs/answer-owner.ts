import type { Failure, FromProcess, ToProcess } from './own-process.ts';

type Answer<Asked> = (asked: Asked) => Promise<unknown>;
type Begin<Setup, Asked> = (setup: Setup) => Promise<Answer<Asked>>;

/** The other end of own-process.ts: answers what this process is asked, and ends with whoever started it. */
export function answerOwner<Setup, Asked>(begin: Begin<Setup, Asked>): void {
  let setup: Setup;
  let begun: Promise<Answer<Asked>> | null = null;
  // A signal to all processes of a group is for its owner, who lets the work under way come to its end.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  process.on('disconnect', () => process.exit());
  process.on('message', (message: ToProcess<Setup, Asked>) => {
    if ('setup' in message) setup = message.setup;
    else void answer(message);
  });

  async function answer({ id, asked }: { id: number; asked: Asked }): Promise<void> {
    try {
      const work = await (begun ??= beginAnew());
      say({ id, said: await work(asked) });
    } catch (error) {
      say({ id, failed: failureOf(error) });
    }
  }

  /** What kept it from beginning may be gone by the next question. */
  async function beginAnew(): Promise<Answer<Asked>> {
    try {
      return await begin(setup);
    } catch (error) {
      begun = null;
      throw error;
    }
  }
}

function failureOf(error: unknown): Failure {
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  return { name, message, ...(stack === undefined ? {} : { stack }), ...(code === undefined ? {} : { code }) };
}

function say(message: FromProcess<unknown>): void {
  process.send?.(message, undefined, undefined, () => {}); // an owner that is gone is heard of by the end of the channel
}
