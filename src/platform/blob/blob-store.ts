/** Where files are kept, sealed before they come here: one folder on disk or one bucket. Ids are lower-case UUIDs. */
export interface BlobStore {
  /** Writes the blob whole or not at all; resolves once it is durable. Pieces may be kept until then. */
  write(id: string, source: AsyncIterable<Uint8Array>): Promise<{ size: number }>;
  /** Streams a blob, or what it has of the bytes start..end (end exclusive). Throws BlobMissing. */
  read(id: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** How many bytes a blob has. Throws BlobMissing. */
  size(id: string): Promise<number>;
  /** Removes a blob; one that is not there is fine. */
  remove(id: string): Promise<void>;
  /** Every stored blob with its time, for the orphan sweep. */
  list(): AsyncIterable<{ id: string; writtenAt: Date }>;
  /** Removes what is left of writes that a crash cut off before a time; tells how many there were. */
  removeUnfinished(before: Date): Promise<number>;
  /** Throws when the store cannot be written; used by readiness and doctor. */
  check(): Promise<void>;
}

/** Bytes from start up to, not including, end. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Thrown when a blob that is asked for is not in the store. */
export class BlobMissing extends Error {
  constructor(id: string, options?: ErrorOptions) {
    super(`There is no blob ${id}`, options);
    this.name = 'BlobMissing';
  }
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a name is a blob's id: nothing else ever becomes part of a path or key. */
export function isBlobId(name: string): boolean {
  return ID.test(name);
}

/** Refuses whatever is not a blob's id. */
export function assertBlobId(id: string): void {
  if (!isBlobId(id)) throw new TypeError('A blob id is a lower-case UUID');
}

/** Refuses a range that no blob could have. */
export function assertRange({ start, end }: ByteRange): void {
  if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end)) {
    throw new RangeError('A byte range starts at 0 or later and does not end before it');
  }
}
