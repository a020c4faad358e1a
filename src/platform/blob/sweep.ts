import type { Clock } from '../clock.ts';
import type { BlobStore } from './blob-store.ts';

const PAGE = 500;

interface SweepDeps {
  store: BlobStore;
  clock: Clock;
  /** Which of these blobs something still refers to; asked for at most 500 at a time. */
  isReferenced: (ids: string[]) => Promise<Set<string>>;
}

/**
 * Removes the blobs that are older than the age and that nothing refers to, and what is left of writes cut off
 * before then. A blob comes before the row that refers to it, so the age must be longer than any request takes.
 */
export async function sweepOrphans(deps: SweepDeps, options: { olderThanMs: number }): Promise<{ removed: number }> {
  const { store, clock } = deps;
  const before = new Date(clock.now().getTime() - options.olderThanMs);
  let removed = await store.removeUnfinished(before);
  let page: string[] = [];
  for await (const { id, writtenAt } of store.list()) {
    if (writtenAt < before) page.push(id);
    if (page.length < PAGE) continue;
    removed += await removeUnreferenced(deps, page);
    page = [];
  }
  return { removed: removed + (await removeUnreferenced(deps, page)) };
}

async function removeUnreferenced({ store, isReferenced }: SweepDeps, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const referenced = await isReferenced(ids);
  const orphans = ids.filter((id) => !referenced.has(id));
  for (const id of orphans) await store.remove(id);
  return orphans.length;
}
