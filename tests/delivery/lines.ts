import type { Socket } from 'node:net';

/** What a connection brings, line by line; every byte is also noted as it comes. */
export class Lines {
  readonly #socket: Socket;
  readonly #note: (chunk: Buffer) => void;
  #unread = '';
  #ended = false;
  #wake = () => {};
  readonly #onData = (chunk: Buffer) => {
    this.#note(chunk);
    this.#unread += chunk.toString('latin1');
    this.#wake();
  };
  readonly #onEnd = () => {
    this.#ended = true;
    this.#wake();
  };

  constructor(socket: Socket, note: (chunk: Buffer) => void) {
    this.#socket = socket;
    this.#note = note;
    socket.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onEnd);
  }

  get hasMore(): boolean {
    return this.#unread !== '';
  }

  /** The next line without its end, or null where none will come. */
  async next(): Promise<string | null> {
    for (;;) {
      const end = this.#unread.indexOf('\r\n');
      if (end >= 0) {
        const line = this.#unread.slice(0, end);
        this.#unread = this.#unread.slice(end + 2);
        return line;
      }
      if (this.#ended) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  detach(): void {
    this.#socket.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
  }
}
