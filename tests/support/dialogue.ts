import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';

const DEADLINE_MS = 60_000;

/** A client that says what a transcript tells it to. */
export interface Client {
  send(bytes: string | Buffer): void;
  /** The next reply, all its lines; null once the server has hung up. */
  reply(): Promise<string | null>;
  /** Goes on under TLS. */
  upgrade(): Promise<void>;
  /** `C: …` is sent with CRLF, `S: …` is the beginning of the next reply, `TLS` upgrades, `END` waits for the end. */
  play(transcript: string): Promise<void>;
  /** Everything that was received. */
  received(): string;
  close(): void;
}

/** Connects in clear, or under TLS from the start. */
export async function connectTo(port: number, { secure = false } = {}): Promise<Client> {
  let socket: Socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let received = '';
  let unread = '';
  let ended = false;
  let wake: (() => void) | undefined;
  const listen = (to: Socket) => {
    to.on('data', (chunk) => {
      received += chunk;
      unread += chunk;
      wake?.();
    });
    to.on('error', () => {});
    to.on('close', () => {
      if (to !== socket) return;
      ended = true;
      wake?.();
    });
  };
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  listen(socket);

  async function until<T>(find: () => T | undefined): Promise<T> {
    const end = Date.now() + DEADLINE_MS;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      const left = end - Date.now();
      assert.ok(left > 0, `nothing came; the last was ${JSON.stringify(received.slice(-200))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  const client: Client = {
    send: (bytes) => void socket.write(bytes),
    received: () => received,
    close: () => socket.destroy(),
    reply: () =>
      until(() => {
        const whole = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3}(?: [^\r\n]*)?\r\n/.exec(unread)?.[0];
        if (whole === undefined) return ended ? null : undefined;
        unread = unread.slice(whole.length);
        return whole;
      }),
    async upgrade() {
      const raw = socket;
      raw.removeAllListeners('data');
      const secured: TLSSocket = connectSecurely({ socket: raw, rejectUnauthorized: false });
      socket = secured;
      listen(secured);
      await new Promise((resolve, reject) => secured.once('secureConnect', resolve).once('close', reject));
    },
    async play(transcript) {
      for (const line of transcript.split('\n').map((each) => each.trimStart())) {
        if (line.startsWith('C: ')) client.send(`${line.slice(3)}\r\n`);
        else if (line.startsWith('S: ')) await expectReply(client, line.slice(3), transcript);
        else if (line.trim() === 'TLS') await client.upgrade();
        else if (line.trim() === 'END') assert.equal(await client.reply(), null, `still open after\n${transcript}`);
        else assert.equal(line.trim(), '', `not a line of a transcript: ${line}`);
      }
    },
  };
  if (secure) await client.upgrade();
  return client;
}

async function expectReply(client: Client, prefix: string, transcript: string): Promise<void> {
  const reply = await client.reply();
  const wanted = prefix.trimEnd();
  assert.ok(reply?.startsWith(wanted), `wanted ${wanted}, got ${JSON.stringify(reply)} in\n${transcript}`);
}
