import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { StoredBlob } from '../../platform/blob/sealed-blobs.ts';
import type { BeginBlob, IncomingBlob } from '../../platform/blob/sealing/incoming-blobs.ts';
import { AppError } from '../../platform/errors.ts';
import type { BodyStream } from '../../platform/http/body/body-stream.ts';
import { BODY_LIMITS, type BodyLimits } from '../../platform/http/body/streamed/limits.ts';
import { JsonScanner } from '../../platform/http/body/streamed/scan-json.ts';
import { readMultipart } from '../../platform/http/body/streamed/scan-multipart.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';

/** 250 MB of body as it is sent, answers and files together. */
export const MOST_BYTES = 262_144_000;
const MOST_UNFINISHED = 4;

/** A file that has come and is durable, with the type that its first bytes give away. */
export interface ReceivedFile {
  blob: StoredBlob;
  type: string | null;
}

/** A body that has come whole: `content` of an attachment is the number of its file. */
export interface Received {
  body: Record<string, unknown>;
  files: ReceivedFile[];
}

interface Deps {
  begin: BeginBlob;
  store: BlobStore;
  keys: CustomerVault;
}

/** Refuses a body by the length that it announces, before any of it is read. */
export function refuseTooLong(length: string | undefined): void {
  if (Number(length ?? 0) > MOST_BYTES) throw tooLong();
}

/** Refuses files that are too much for one submission, whether they came with it or ahead of it. */
export function refuseTooMuch(files: readonly { size: number }[]): void {
  if (files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) throw tooLong();
}

/** Takes a submission in while it arrives; where it breaks off or is refused, nothing of it stays. */
export async function receive(
  deps: Deps,
  customerId: number,
  { headers, pieces }: BodyStream,
  limits: BodyLimits = BODY_LIMITS,
): Promise<Received> {
  const files = new FileIntake(deps, customerId);
  const type = headers['content-type'];
  // A length that is announced was judged before, and no more than that comes.
  const taken = headers['content-length'] === undefined ? bounded(pieces) : pieces;
  try {
    const body = /^multipart\/form-data\b/i.test(type ?? '')
      ? await readMultipart(taken, type as string, (_file, stream) => files.takeStream(stream), limits)
      : await readJsonBody(files, taken, type, limits);
    return { body: { ...body }, files: await files.finish() };
  } catch (error) {
    await files.discard();
    throw cutOff(error) ?? error;
  }
}

/** Removes files that came with a submission which is not taken. */
export async function discardFiles(store: BlobStore, files: ReceivedFile[]): Promise<void> {
  for (const { blob } of files) await store.remove(blob.id).catch(() => undefined); // swept later
}

async function readJsonBody(
  files: FileIntake,
  pieces: AsyncIterable<Buffer>,
  type: string | undefined,
  limits: BodyLimits,
) {
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\b/i.test(type)) {
    throw new AppError('unsupported_media_type', 'A submission is application/json or multipart/form-data');
  }
  // The scanner does not wait; what it finds in a piece is done before the next piece is read.
  let found: (() => Promise<void> | undefined)[] = [];
  const scanner = new JsonScanner(
    {
      begin: () => void found.push(() => files.begin({ base64: true })),
      piece: (_file, bytes) => void found.push(() => files.write(bytes)),
      end: () => void found.push(() => files.end()),
    },
    type,
    limits,
  );
  for await (const piece of pieces) {
    scanner.write(piece);
    for (const step of found) await step();
    if (found.length > 0) found = [];
  }
  return scanner.end();
}

async function* bounded(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > MOST_BYTES) throw tooLong();
    yield piece;
  }
}

function tooLong(): AppError {
  return new AppError('payload_too_large', 'A submission takes at most 250 MB, files included');
}

/** A connection that broke off is no failure of the server. */
export function cutOff(error: unknown): AppError | null {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE'
    ? new AppError('invalid_request', 'The connection was closed before the body had come')
    : null;
}

/** The files of one submission, one after the other; a few may still be on their way to the disk. */
class FileIntake {
  readonly #deps: Deps;
  readonly #customerId: number;
  readonly #begun: IncomingBlob[] = [];
  readonly #ended: Promise<ReceivedFile>[] = [];

  constructor(deps: Deps, customerId: number) {
    this.#deps = deps;
    this.#customerId = customerId;
  }

  async begin(form: { base64: boolean }): Promise<void> {
    await this.#ended[this.#ended.length - MOST_UNFINISHED];
    this.#begun.push(this.#deps.begin(this.#deps.keys, this.#customerId, form));
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    return this.#begun.at(-1)?.write(bytes);
  }

  end(): undefined {
    const ended = (this.#begun.at(-1) as IncomingBlob).end();
    ended.catch(() => {}); // heard of when all are awaited
    this.#ended.push(ended);
  }

  async takeStream(stream: AsyncIterable<Buffer>): Promise<void> {
    await this.begin({ base64: false });
    for await (const bytes of stream) await this.write(bytes);
    this.end();
  }

  finish(): Promise<ReceivedFile[]> {
    return Promise.all(this.#ended);
  }

  async discard(): Promise<void> {
    for (const file of this.#begun.slice(this.#ended.length)) file.abort();
    await Promise.allSettled(this.#ended);
    for (const file of this.#begun) await this.#deps.store.remove(file.id).catch(() => undefined);
  }
}
