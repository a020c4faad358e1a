// A thread that takes files in: it decodes, hashes, scans, seals and stores them, so that requests on the main
// thread never wait for any of it.
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { fileTypeFromBuffer } from 'file-type';
import { AppError } from '../../errors.ts';
import { createBase64Decoder } from '../../http/body/streamed/base64.ts';
import { createScanner } from '../../net/clamd.ts';
import { sealStream } from '../../vault/sealed-stream.ts';
import { openBlobStore } from '../open-blob-store.ts';
import type { FromThread, Refusal, Scanned, ThreadSetup, ToThread } from './messages.ts';

const HEAD = 4_100; // as much as file-type looks at
const WRITE_SIZE = 256 * 1024;

const { blobUrl, clamd } = workerData as ThreadSetup;
const store = await openBlobStore(blobUrl);
const port = parentPort as NonNullable<typeof parentPort>;
const inboxes = new Map<number, Inbox>();

type Piece = { buffer: ArrayBuffer; length: number };

/** The pieces of one file, in the order in which they come. */
class Inbox {
  readonly #pieces: Piece[] = [];
  #state: 'open' | 'ended' | 'aborted' = 'open';
  #wake: (() => void) | null = null;

  push(piece: Piece): void {
    this.#pieces.push(piece);
    this.#wake?.();
  }

  finish(state: 'ended' | 'aborted'): void {
    this.#state = state;
    this.#wake?.();
  }

  async *read(emptied: (buffer: ArrayBuffer) => void): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#state === 'aborted') throw new Aborted();
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        yield Buffer.from(piece.buffer, 0, piece.length);
        emptied(piece.buffer);
      } else if (this.#state === 'ended') return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

class Aborted extends Error {}

port.on('message', (message: ToThread) => {
  if (message.do === 'begin') void take(message);
  else if (message.do === 'piece') inboxes.get(message.file)?.push(message);
  else inboxes.get(message.file)?.finish(message.do === 'end' ? 'ended' : 'aborted');
});

function tell(message: FromThread, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

async function take({ file, id, key, context, base64 }: Extract<ToThread, { do: 'begin' }>): Promise<void> {
  const inbox = new Inbox();
  inboxes.set(file, inbox);
  const pieces = inbox.read((buffer) => tell({ file, emptied: buffer }, [buffer]));
  const hash = createHash('sha256');
  const scan = clamd === null ? null : createScanner(clamd);
  const head = Buffer.alloc(HEAD);
  let size = 0;
  let scanned: Scanned = null;

  async function* examined() {
    for await (const bytes of base64 ? decoded(pieces) : pieces) {
      hash.update(bytes);
      if (size < HEAD) bytes.copy(head, size);
      size += bytes.length;
      await scan?.write(bytes);
      yield bytes;
    }
    // Before the file is whole in the store: what is infected never gets its name there.
    if (scan === null) return;
    scanned = 'failed';
    await scan.verdict().catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'unprocessable') scanned = 'infected';
      throw error;
    });
    scanned = 'clean';
  }

  try {
    await store.write(id, inLargePieces(sealStream(key, context, examined())));
    const found = await fileTypeFromBuffer(head.subarray(0, Math.min(size, HEAD)));
    tell({ file, finished: { size, sha256: hash.digest(), type: found?.mime ?? null }, scanned });
  } catch (error) {
    scan?.close();
    const storeFailed = !(error instanceof AppError || error instanceof Aborted);
    tell({ file, failed: describe(error), scanned, storeFailed });
  } finally {
    inboxes.delete(file);
  }
}

async function* decoded(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = createBase64Decoder('attachments');
  for await (const piece of pieces) yield decoder.write(piece);
  yield decoder.end();
}

/** Gathers small pieces, so that each does not cost a write of its own; a store may keep those it was given. */
async function* inLargePieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.allocUnsafe(WRITE_SIZE);
  let filled = 0;
  for await (const piece of source) {
    if (filled + piece.length > WRITE_SIZE) {
      yield held.subarray(0, filled);
      held = Buffer.allocUnsafe(WRITE_SIZE);
      filled = 0;
    }
    filled += piece.copy(held, filled);
  }
  yield held.subarray(0, filled);
}

/** What the caller may know of a failure; null where the file was given up or the store failed. */
function describe(error: unknown): Refusal | null {
  if (!(error instanceof AppError)) return null;
  const { code, message, fields, retryAfterSeconds } = error;
  return { code, message, fields, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}
