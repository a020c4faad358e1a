import { connect, type Socket } from 'node:net';
import { AppError } from '../errors.ts';

const SILENCE_MS = 60_000;
const LONGEST_REPLY = 4_096;

export interface Scanner {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves where nothing was found; throws where something was, or where the scanner does not say. */
  verdict(): Promise<void>;
  close(): void;
}

/**
 * Scans one stream by clamd's INSTREAM: chunks with their length before them, an empty one at the end, then one
 * line of verdict. Whatever goes wrong counts as not scanned, and what is not scanned is not taken.
 */
export function createScanner(address: string, silenceMs = SILENCE_MS): Scanner {
  const socket = dial(address);
  let reply = '';
  let failed = false;
  let isWhole = false;
  const replied = new Promise<void>((resolve) => {
    const done = (bad: boolean) => {
      failed ||= bad;
      resolve();
    };
    socket.setTimeout(silenceMs, () => socket.destroy());
    socket.on('data', (bytes) => {
      reply += bytes.toString('latin1');
      if (reply.length > LONGEST_REPLY) socket.destroy();
      if (reply.includes('\0')) done(!isWhole); // nobody can tell of what has not come
    });
    socket.on('error', () => done(true));
    socket.on('close', () => done(!reply.includes('\0')));
  });
  socket.write('zINSTREAM\0');

  return {
    async write(bytes) {
      if (failed || bytes.length === 0) return; // said with the verdict
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      socket.write(length);
      // The bytes belong to somebody else after this call.
      if (!socket.write(Buffer.from(bytes))) await Promise.race([drained(socket), replied]);
    },
    async verdict() {
      isWhole = true;
      socket.write(Buffer.alloc(4));
      await replied;
      socket.destroy();
      const words = reply.replaceAll('\0', '').trim();
      if (!failed && words.endsWith(' OK')) return;
      if (!failed && words.endsWith(' FOUND')) {
        throw new AppError('unprocessable', 'attachments: a file was refused by the virus scanner');
      }
      throw new AppError('unavailable', 'Files cannot be scanned at the moment', { retryAfterSeconds: 30 });
    },
    close: () => void socket.destroy(),
  };
}

function dial(address: string): Socket {
  if (address.startsWith('/')) return connect(address);
  const at = address.lastIndexOf(':');
  return connect(Number(address.slice(at + 1)), address.slice(0, at));
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once('drain', resolve));
}
