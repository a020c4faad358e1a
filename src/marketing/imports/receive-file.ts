import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { StoredBlob } from '../../platform/blob/sealed-blobs.ts';
import type { BeginBlob, IncomingBlob } from '../../platform/blob/sealing/incoming-blobs.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { BodyStream } from '../../platform/http/body/body-stream.ts';
import { readMultipart } from '../../platform/http/body/streamed/scan-multipart.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { ImportQuery } from './settings.ts';

/** 250 MB. */
const MOST_BYTES = 262_144_000;
const TAKEN = /^(text\/csv|text\/plain|application\/(octet-stream|csv|vnd\.ms-excel))\b/i;
const CUT_OFF = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

interface Deps {
  beginBlob: BeginBlob;
  blobStore: BlobStore;
  keys: CustomerVault;
}

/** Takes the file of an import in while it arrives; where it breaks off or is refused, nothing of it stays. */
export async function receiveFile(
  deps: Deps,
  customerId: number,
  { headers, pieces }: BodyStream,
): Promise<StoredBlob> {
  const type = headers['content-type'] ?? 'text/csv';
  if (Number(headers['content-length'] ?? 0) > MOST_BYTES) throw tooLong();
  if (TAKEN.test(type)) return store(deps, customerId, pieces);
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw new AppError(
      'unsupported_media_type',
      'A file is sent as text/csv, application/octet-stream or multipart/form-data',
    );
  }
  let blob: StoredBlob | null = null;
  try {
    const { form_data: fields } = await readMultipart(pieces, type, async (_file, stream) => {
      if (blob !== null) throw new AppError('invalid_request', 'An import takes one file');
      blob = await store(deps, customerId, stream);
    });
    refuseSettings(fields);
  } catch (error) {
    await discard(deps, blob);
    throw refusalOf(error);
  }
  if (blob === null) throw new AppError('invalid_request', 'The form has no file');
  return blob;
}

/** Settings are read from the address; one that is overlooked elsewhere would make an import of what was to be tried out. */
function refuseSettings(fields: unknown): void {
  const setting = Object.keys(ImportQuery.properties).find((name) => Object.hasOwn(fields as object, name));
  if (setting !== undefined) throw invalidField(setting, 'is said in the address, not in the form');
}

/** Removes a file that is not imported after all. */
export async function discard({ blobStore }: Pick<Deps, 'blobStore'>, blob: StoredBlob | null): Promise<void> {
  if (blob !== null) await blobStore.remove(blob.id).catch(() => undefined); // swept later
}

async function store(deps: Deps, customerId: number, pieces: AsyncIterable<Buffer>): Promise<StoredBlob> {
  const file: IncomingBlob = deps.beginBlob(deps.keys, customerId, { base64: false });
  let length = 0;
  try {
    for await (const piece of pieces) {
      length += piece.length;
      if (length > MOST_BYTES) throw tooLong();
      await file.write(piece);
    }
    if (length === 0) throw new AppError('invalid_request', 'The file is empty');
    return (await file.end()).blob;
  } catch (error) {
    file.abort();
    await deps.blobStore.remove(file.id).catch(() => undefined);
    throw refusalOf(error);
  }
}

/** A connection that broke off is no failure of the server. */
function refusalOf(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  return CUT_OFF.has(code)
    ? new AppError('invalid_request', 'The connection was closed before the file had come')
    : error;
}

function tooLong(): AppError {
  return new AppError('payload_too_large', 'An import takes a file of at most 250 MB');
}
