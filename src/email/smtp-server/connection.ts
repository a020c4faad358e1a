import type { Socket } from 'node:net';
import type { Log } from '../../platform/log.ts';
import type { LargeData } from './large-data.ts';
import { LineReader } from './line-reader.ts';
import { type Pace, Patience } from './patience.ts';
import { REPLY } from './replies.ts';
import type { Dialogue, Wire } from './wire.ts';

export interface ConnectionDeps {
  /** Begins a dialogue: when a client comes, and anew when it goes on under TLS. */
  converse(wire: Wire): Dialogue;
  largeData: LargeData;
  pace: Pace;
  log: Log;
  /** Makes a connection go on under TLS, and calls back with what to use from then on. */
  secure(socket: Socket, go: (secured: Socket) => void): void;
}

/** The bytes of one client: feeds them to its session in order, one command at a time. */
export class Connection implements Wire {
  readonly network: string;
  secure: boolean;
  readonly #deps: ConnectionDeps;
  readonly #patience: Patience;
  #socket: Socket;
  #session: Dialogue;
  #lines = new LineReader();
  #waiting: Buffer[] = [];
  #unread = 0;
  #replies = '';
  #open = true;
  #working = false;
  #clogged = false;
  #securing = false;
  #stopping = false;

  constructor(deps: ConnectionDeps, socket: Socket, { network, secure }: { network: string; secure: boolean }) {
    this.#deps = deps;
    this.network = network;
    this.secure = secure;
    this.#socket = socket;
    this.#session = deps.converse(this);
    this.#patience = new Patience(deps.pace, () => this.#runOut());
    this.#listen(socket);
    this.#session.greet();
    this.#flush();
  }

  reply(text: string): void {
    this.#replies += `${text}\r\n`;
  }

  close(text: string): void {
    if (!this.#open) return;
    this.reply(text);
    this.#flush();
    this.#open = false;
    this.#socket.end();
    this.#patience.awaitEnd(); // cut at once, what is unread here would take the reply down with it
  }

  hasMore(): boolean {
    return this.#unread > 0 || this.#waiting.length > 0 || this.#socket.readableLength > 0;
  }

  startTls(): void {
    const raw = this.#socket;
    this.#securing = true;
    raw.off('data', this.#take).pause();
    this.#flush(() => {
      this.#deps.secure(raw, (secured) => {
        this.#socket = secured;
        this.#securing = false;
        this.secure = true;
        this.#lines = new LineReader();
        this.#session = this.#deps.converse(this);
        this.#listen(secured);
      });
    });
  }

  /** Hangs up, once the message that is under way has been answered. */
  stop(): void {
    this.#stopping = true;
    if (this.#securing) this.#socket.destroy();
    else if (this.#session.data === null) this.close(REPLY.stopping);
  }

  #listen(socket: Socket): void {
    socket.on('data', this.#take);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      if (socket !== this.#socket) return;
      this.#open = false;
      this.#patience.stop();
      if (!this.#working) this.#session.abandon();
    });
  }

  readonly #take = (chunk: Buffer): void => {
    if (!this.#open) return;
    this.#waiting.push(chunk);
    if (this.#working) this.#socket.pause();
    else void this.#work();
  };

  async #work(): Promise<void> {
    this.#working = true;
    try {
      for (let chunk = this.#waiting.shift(); chunk !== undefined && this.#open; chunk = this.#waiting.shift()) {
        await this.#read(chunk);
        this.#flush();
        if (this.#socket.writableNeedDrain) await this.#drained();
      }
    } catch (error) {
      this.#deps.log.error({ err: error }, 'SMTP session failed');
      this.close(REPLY.broken);
    }
    this.#working = false;
    if (!this.#open) this.#session.abandon();
    else if (!this.#securing) this.#socket.resume();
  }

  async #read(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && this.#open; ) {
      const { data } = this.#session;
      if (data !== null) {
        const turn = this.#deps.largeData.turn(data.received, chunk.length - at);
        if (turn !== undefined) await turn;
        if (!this.#open) return;
        const end = data.read(chunk, at);
        if (end === -1) return this.#patience.noteData(data.received);
        at = end;
        await this.#session.finishData(data);
        if (this.#stopping) this.close(REPLY.stopping);
      } else {
        const { next, line } = this.#lines.read(chunk, at);
        at = next;
        if (line === null) return;
        this.#unread = chunk.length - at;
        const pending = this.#session.take(line);
        if (pending !== undefined) {
          this.#flush();
          await pending;
        }
      }
      if (this.#open) this.#awaitNext();
    }
  }

  #awaitNext(): void {
    if (this.#session.data === null) this.#patience.awaitCommand();
    else this.#patience.awaitData();
  }

  #runOut(): void {
    if (!this.#open) this.#socket.destroy();
    else if (this.#working && !this.#clogged) this.#patience.awaitCommand();
    else this.close(REPLY.tooSlow);
  }

  /** Replies to commands that came together leave together (RFC 2920 3.2). */
  #flush(done?: () => void): void {
    const text = this.#replies;
    this.#replies = '';
    if (this.#socket.writable && text !== '') this.#socket.write(text, 'latin1', done);
  }

  /** Whoever does not read replies gets no more of them. */
  async #drained(): Promise<void> {
    this.#clogged = true;
    await new Promise<void>((resolve) => {
      this.#socket.once('drain', resolve).once('close', resolve);
    });
    this.#clogged = false;
  }
}
