// Clients of an SMTP submission port: each takes up TLS and signs in once, then sends the same message again and again.
// Runs as a process of its own, reads an SmtpLoad on its standard input and prints what it counted as JSON.
import { connect, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import { Count, readLoad } from './count.ts';

export interface SmtpLoad {
  port: number;
  user: string;
  password: string;
  from: string;
  to: string;
  /** With the dot that ends it. */
  message: string;
  connections: number;
  warmupSeconds: number;
  seconds: number;
}

const load = await readLoad<SmtpLoad>();
const data = Buffer.from(load.message);
const count = new Count();

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

async function signIn(): Promise<{ socket: Socket; replies: Replies; pipelining: boolean }> {
  const plain = connect({ host: '127.0.0.1', port: load.port, noDelay: true });
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
  const credentials = Buffer.from(`\0${load.user}\0${load.password}`).toString('base64');
  socket.write(`AUTH PLAIN ${credentials}\r\n`);
  await replies.expect('235');
  return { socket, replies, pipelining: offers.some((line) => line.slice(4) === 'PIPELINING') };
}

async function loop(): Promise<void> {
  const { socket, replies, pipelining } = await signIn();
  const commands = [
    { text: `MAIL FROM:<${load.from}>\r\n`, code: '250' },
    { text: `RCPT TO:<${load.to}>\r\n`, code: '250' },
    { text: 'DATA\r\n', code: '354' },
  ];
  const together = commands.map(({ text }) => text).join('');
  while (count.running) {
    const startedAt = performance.now();
    if (pipelining) socket.write(together);
    for (const { text, code } of commands) {
      if (!pipelining) socket.write(text);
      await replies.expect(code);
    }
    socket.write(data);
    const [reply] = await replies.next();
    count.note(performance.now() - startedAt, reply?.startsWith('250') === true);
  }
  socket.end('QUIT\r\n');
}

const loops = Array.from({ length: load.connections }, loop);
await Promise.all([count.during(load), ...loops]);
count.print();
process.exit(0);
