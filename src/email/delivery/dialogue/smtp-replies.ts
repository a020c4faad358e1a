import type { Socket } from 'node:net';

export interface Reply {
  code: number;
  lines: string[];
}

/**
 * What went wrong with a peer: it was not there, it had no TLS, its TLS did not come up, it said no before any message,
 * or it broke off, stayed silent or talked nonsense; or nobody was called, as the domain's own policy forbids it.
 */
export type FailureKind = 'unreachable' | 'no tls' | 'tls failed' | 'turned away' | 'broken' | 'policy';

/** Thrown when a peer fails; the attempt may be made again. */
export class PeerFailure extends Error {
  readonly kind: FailureKind;
  /** What the peer said, if it said something. */
  readonly reply: Reply | null;

  constructor(kind: FailureKind, message: string, reply: Reply | null = null) {
    super(message);
    this.kind = kind;
    this.reply = reply;
  }
}

const LONGEST_LINE = 2_048; // RFC 5321 4.5.3.1.5 says 512; peers exceed it
const MOST_LINES = 128;

interface Waiting {
  timer: NodeJS.Timeout;
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** Reads replies in order from a connection, within a limit on everything that the peer can make us keep. */
export class ReplyReader {
  readonly #socket: Socket;
  readonly #ready: Reply[] = [];
  readonly #waiting: Waiting[] = [];
  #rest = '';
  #lines: string[] = [];
  #failure: Error | undefined;
  readonly #onData = (chunk: Buffer) => this.#take(chunk.toString('latin1'));
  readonly #onEnd = () => this.#fail(new PeerFailure('broken', 'the peer closed the connection'));
  readonly #onError = () => this.#fail(new PeerFailure('broken', 'the connection broke'));

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#onData).on('close', this.#onEnd).on('error', this.#onError);
  }

  next(timeoutMs: number): Promise<Reply> {
    const ready = this.#ready.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#fail(new PeerFailure('broken', 'the peer did not answer in time')),
        timeoutMs,
      );
      const settle =
        <T>(act: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          act(value);
        };
      this.#waiting.push({ timer, resolve: settle(resolve), reject: settle(reject) });
    });
  }

  /** Gives the peer all of its time once more, as what it answers leaves only now. */
  prolong(): void {
    for (const { timer } of this.#waiting) timer.refresh();
  }

  /** What has come before anybody asked: a reply, or why there will be none. */
  get ahead(): Reply | Error | undefined {
    return this.#ready[0] ?? this.#failure;
  }

  /** Stops reading; answers whether the peer had sent more than was asked for. */
  detach(): { leftOver: boolean } {
    this.#socket.off('data', this.#onData).off('close', this.#onEnd).off('error', this.#onError);
    return { leftOver: this.#rest !== '' || this.#lines.length > 0 || this.#ready.length > 0 };
  }

  #take(text: string): void {
    this.#rest += text;
    for (let end = this.#rest.indexOf('\r\n'); end !== -1; end = this.#rest.indexOf('\r\n')) {
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 2);
      this.#takeLine(line);
    }
    if (this.#rest.length > LONGEST_LINE) this.#fail(new PeerFailure('broken', 'the peer sent an endless line'));
  }

  #takeLine(line: string): void {
    const match = /^([2-5]\d\d)(?:([ -])(.*))?$/.exec(line);
    if (match === null || line.length > LONGEST_LINE)
      return this.#fail(new PeerFailure('broken', 'the peer does not speak SMTP'));
    this.#lines.push(match[3] ?? '');
    if (this.#lines.length > MOST_LINES) return this.#fail(new PeerFailure('broken', 'the peer sent an endless reply'));
    if (match[2] === '-') return;
    const reply = { code: Number(match[1]), lines: this.#lines };
    this.#lines = [];
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) waiting.resolve(reply);
    else if (this.#ready.length < MOST_LINES) this.#ready.push(reply);
    else this.#fail(new PeerFailure('broken', 'the peer sent replies that nobody asked for'));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
    this.#socket.destroy();
  }
}
