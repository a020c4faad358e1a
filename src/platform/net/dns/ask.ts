import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { DnsFailed } from './dns-failed.ts';
import { type Message, type Question, readMessage, writeQuestion } from './message.ts';
import type { NameServer } from './name-servers.ts';

/** What a server said, and whether its word on authenticity counts. */
export interface Heard {
  message: Message;
  authentic: boolean;
}

/** Asks the servers in turn, each of them `tries` times, until one says anything but that it failed. */
export async function askServers(
  { servers, tries, tryMs }: { servers: NameServer[]; tries: number; tryMs: number },
  question: Question,
): Promise<Heard> {
  let failure = new DnsFailed('timeout');
  for (const server of Array.from({ length: tries }, () => servers).flat()) {
    try {
      return await askServer(server, question, tryMs);
    } catch (error) {
      if (!(error instanceof DnsFailed)) throw error;
      failure = error;
    }
  }
  throw failure;
}

async function askServer(server: NameServer, question: Question, tryMs: number): Promise<Heard> {
  const short = await askOverUdp(server, question, tryMs);
  const message = short.isTruncated ? await askOverTcp(server, question, tryMs) : short;
  if (message.outcome === 'failed') throw new DnsFailed('servfail');
  // An answer from another machine may have been altered on the way, and its AD bit with it (RFC 7672 2.2).
  return { message, authentic: message.isMarkedAuthentic && server.isLocal };
}

/** A fresh port and id for each question; the system drops what comes from another address (RFC 5452 9). */
function askOverUdp({ address, port }: NameServer, question: Question, tryMs: number): Promise<Message> {
  const id = randomInt(0x10000);
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  return within(
    tryMs,
    () => socket.close(),
    (resolve, reject) => {
      const fail = () => reject(new DnsFailed('timeout'));
      socket.on('error', fail);
      socket.on('message', (bytes) => settle(() => readMessage(bytes, id, question), resolve, reject));
      socket.connect(port, address, () => {
        socket.send(writeQuestion(id, question), (error) => {
          if (error !== null) fail();
        });
      });
    },
  );
}

/** RFC 7766 8: the length comes before the message, in two bytes. */
function askOverTcp({ address, port }: NameServer, question: Question, tryMs: number): Promise<Message> {
  const id = randomInt(0x10000);
  const socket = connect({ host: address, port, noDelay: true });
  return within(
    tryMs,
    () => socket.destroy(),
    (resolve, reject) => {
      let heard = Buffer.alloc(0);
      const fail = () => reject(new DnsFailed('timeout'));
      socket.on('error', fail).once('close', fail);
      socket.on('data', (bytes) => {
        heard = Buffer.concat([heard, bytes]);
        const end = heard.length < 2 ? Number.POSITIVE_INFINITY : 2 + heard.readUInt16BE(0);
        if (heard.length < end) return;
        settle(() => readMessage(heard.subarray(2, end), id, question) ?? refuseOther(), resolve, reject);
      });
      const message = writeQuestion(id, question);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(message.length);
      socket.write(Buffer.concat([length, message]));
    },
  );
}

/** On a connection of its own nothing but the answer can come. */
function refuseOther(): never {
  throw new DnsFailed('malformed');
}

type Resolve = (message: Message) => void;
type Reject = (error: unknown) => void;

function settle(read: () => Message | null, resolve: Resolve, reject: Reject): void {
  try {
    const message = read();
    if (message !== null) resolve(message);
  } catch (error) {
    reject(error);
  }
}

async function within(
  ms: number,
  close: () => void,
  start: (resolve: Resolve, reject: Reject) => void,
): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const timer = setTimeout(() => reject(new DnsFailed('timeout')), ms);
  try {
    start(resolve, reject);
    return await promise;
  } finally {
    clearTimeout(timer);
    close();
  }
}
