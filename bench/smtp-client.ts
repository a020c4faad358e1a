import { connect, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';

/** Replies are read in order; a reply is its last line. */
class Replies {
  readonly #lines: string[] = [];
  #rest = '';
  #wake: { resolve(): void; reject(error: Error): void } | null = null;
  #failure: Error | null = null;

  constructor(socket: Socket) {
    socket.on('data', (chunk) => {
      const lines = (this.#rest + chunk.toString('latin1')).split('\r\n');
      this.#rest = lines.pop() as string;
      this.#lines.push(...lines);
      this.#wake?.resolve();
    });
    const fail = (error: Error) => {
      this.#failure = error;
      this.#wake?.reject(error);
    };
    socket.on('error', fail).on('close', () => fail(new Error('the server hung up')));
  }

  /** All lines of the next reply. */
  async next(): Promise<string[]> {
    for (;;) {
      const last = this.#lines.findIndex((line) => line[3] !== '-');
      if (last !== -1) return this.#lines.splice(0, last + 1);
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve, reject) => {
        this.#wake = { resolve, reject };
      });
    }
  }

  async expect(code: string): Promise<string[]> {
    const lines = await this.next();
    if (!lines[0]?.startsWith(code)) throw new Error(`expected ${code}, got: ${lines.join(' / ')}`);
    return lines;
  }
}

export interface Account {
  port: number;
  user: string;
  password: string;
}

/** A connection that has taken up TLS and signed in. */
export interface Submission {
  /** Sends a message, with the dot that ends it, and answers the last reply. */
  send(from: string, to: string, message: Buffer): Promise<string>;
  end(): void;
}

/** Signs in at a submission port of this machine. */
export async function signIn({ port, user, password }: Account): Promise<Submission> {
  const plain = connect({ host: '127.0.0.1', port, noDelay: true });
  const clear = new Replies(plain);
  await clear.expect('220');
  plain.write('EHLO client.example\r\n');
  await clear.expect('250');
  plain.write('STARTTLS\r\n');
  await clear.expect('220');
  plain.removeAllListeners('data');
  const socket = secure({ socket: plain, rejectUnauthorized: false }); // each peer has a certificate of its own making
  const replies = new Replies(socket);
  socket.write('EHLO client.example\r\n');
  const offers = await replies.expect('250');
  const credentials = Buffer.from(`\0${user}\0${password}`).toString('base64');
  socket.write(`AUTH PLAIN ${credentials}\r\n`);
  await replies.expect('235');
  const pipelining = offers.some((line) => line.slice(4) === 'PIPELINING');
  return {
    async send(from, to, message) {
      const commands = [
        { text: `MAIL FROM:<${from}>\r\n`, code: '250' },
        { text: `RCPT TO:<${to}>\r\n`, code: '250' },
        { text: 'DATA\r\n', code: '354' },
      ];
      if (pipelining) socket.write(commands.map(({ text }) => text).join(''));
      for (const { text, code } of commands) {
        if (!pipelining) socket.write(text);
        await replies.expect(code);
      }
      socket.write(message);
      return (await replies.next()).join(' ');
    },
    end: () => void socket.end('QUIT\r\n'),
  };
}
