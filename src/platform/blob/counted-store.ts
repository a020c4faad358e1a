import { BlobMissing, type BlobStore } from './blob-store.ts';

/** What went wrong with a store since this process began. */
export interface StoreFailures {
  counts(): Iterable<[failure: StoreFailure, count: number]>;
  note(failure: StoreFailure): void;
}

/** `missing` is a blob that the database knows and the store does not have. */
type StoreFailure = 'write' | 'read' | 'remove' | 'list' | 'missing';

/** A store that counts what goes wrong with it. */
export interface CountedStore extends BlobStore {
  failures: StoreFailures;
}

/** Counts the failures of a store. */
export function countFailures(store: BlobStore): CountedStore {
  const counts = new Map<StoreFailure, number>(FAILURES.map((failure) => [failure, 0]));
  const note = (failure: StoreFailure) => void counts.set(failure, (counts.get(failure) ?? 0) + 1);
  const watch = (failure: StoreFailure) => (error: unknown) => {
    note(error instanceof BlobMissing ? 'missing' : failure);
    throw error;
  };
  return {
    failures: { counts: () => counts, note },
    write: (id, source) => store.write(id, source).catch(watch('write')),
    read: (id, range) => watched(store.read(id, range), watch('read')),
    size: (id) => store.size(id).catch(watch('read')),
    remove: (id) => store.remove(id).catch(watch('remove')),
    list: () => watched(store.list(), watch('list')),
    removeUnfinished: (before) => store.removeUnfinished(before).catch(watch('remove')),
    check: () => store.check().catch(watch('write')),
  };
}

const FAILURES: StoreFailure[] = ['write', 'read', 'remove', 'list', 'missing'];

async function* watched<T>(source: AsyncIterable<T>, onError: (error: unknown) => never): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch(onError);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
