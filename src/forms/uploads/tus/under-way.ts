import { AppError } from '../../../platform/errors.ts';

interface Sending {
  cut(): void;
  over: Promise<unknown>;
}

/**
 * The requests that bring bytes at the moment, one for each upload. Other nodes have their own; whoever comes second
 * there is found out when the bytes are kept.
 */
export class UnderWay {
  readonly #sending = new Map<string, Sending>();

  /** Takes bytes in unless another request does. `cut` ends the request's connection. */
  async run<T>(id: string, cut: () => void, work: () => Promise<T>): Promise<T> {
    if (this.#sending.has(id)) throw new AppError('conflict', 'Another request is sending this file');
    const running = work();
    const sending = { cut, over: running.catch(() => undefined) };
    this.#sending.set(id, sending);
    try {
      return await running;
    } finally {
      this.#sending.delete(id);
    }
  }

  /** Ends what is under way, as whoever asks how far it came is not sending any more. What has come is kept first. */
  async settle(id: string): Promise<void> {
    const sending = this.#sending.get(id);
    if (sending === undefined) return;
    sending.cut();
    await sending.over;
  }
}
