import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../durable-files.ts';
import { assertBlobId, assertRange, BlobMissing, type BlobStore, type ByteRange, isBlobId } from './blob-store.ts';

const READ_SIZE = 64 * 1024;
const PAIR = /^[0-9a-f]{2}$/;

/** Keeps blobs as files of a folder. A file being written is in its `tmp`, and has its name only once it is synced. */
export function createDiskStore(location: string): BlobStore {
  const folder = resolve(location);
  const unfinished = join(folder, 'tmp');
  const settled = new Set<string>();
  let doubt: unknown;

  // Time-ordered ids share their first digits, so the last ones spread them.
  const homeOf = (id: string) => join(folder, id.slice(-2), id.slice(-4, -2));
  const pathOf = (id: string) => join(homeOf(id), id);

  // After a failed fsync the kernel may call the lost pages clean, so that a second one succeeds without having
  // written them. A file is thrown away then, but a folder holds other blobs too: no more writes until a restart.
  function assertTrusted(): void {
    if (doubt) throw new Error('A folder of the blob store could not be synced', { cause: doubt });
  }

  async function syncFolder(path: string): Promise<void> {
    await using handle = await open(path);
    try {
      await handle.sync();
    } catch (error) {
      doubt = error;
      throw error;
    }
  }

  /** Makes the folder of a blob last; once for each, as it may be there but never have been synced. */
  async function settle(home: string): Promise<void> {
    await mkdir(home, { recursive: true, mode: 0o700 });
    if (settled.has(home)) return;
    await syncFolder(dirname(home));
    await syncFolder(folder);
    settled.add(home);
  }

  /** Writes a synced file into `tmp` and gives it to `finish`; whatever fails, it is not in `tmp` afterwards. */
  async function writeUnfinished(
    name: string,
    source: AsyncIterable<Uint8Array>,
    finish: (path: string) => Promise<void>,
  ): Promise<{ size: number }> {
    assertTrusted();
    await makeFolder(unfinished, syncFolder);
    const path = join(unfinished, `${name}.${randomBytes(8).toString('hex')}`);
    try {
      const written = await writeSynced(path, source);
      await finish(path);
      return written;
    } catch (error) {
      // What cannot be removed either is left for removeUnfinished.
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async function write(id: string, source: AsyncIterable<Uint8Array>): Promise<{ size: number }> {
    assertBlobId(id);
    return writeUnfinished(id, source, async (path) => {
      await settle(homeOf(id));
      await rename(path, pathOf(id));
      await syncFolder(homeOf(id));
    });
  }

  async function* read(id: string, range?: ByteRange): AsyncGenerator<Buffer> {
    assertBlobId(id);
    if (range) assertRange(range);
    const { start, end } = range ?? { start: 0, end: Infinity };
    await using file = await open(pathOf(id)).catch((error: unknown) => throwMissing(id, error));
    for (let at = start; at < end; ) {
      const length = Math.min(READ_SIZE, end - at);
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  async function size(id: string): Promise<number> {
    assertBlobId(id);
    const found = await stat(pathOf(id)).catch((error: unknown) => throwMissing(id, error));
    return found.size;
  }

  async function remove(id: string): Promise<void> {
    assertBlobId(id);
    await rm(pathOf(id), { force: true });
  }

  async function* list(): AsyncGenerator<{ id: string; writtenAt: Date }> {
    for (const outer of await namesIn(folder, PAIR)) {
      for (const inner of await namesIn(join(folder, outer), PAIR)) {
        for await (const { name, changedAt } of filesIn(join(folder, outer, inner))) {
          if (isBlobId(name)) yield { id: name, writtenAt: changedAt };
        }
      }
    }
  }

  async function removeUnfinished(before: Date): Promise<number> {
    let removed = 0;
    for await (const { name, changedAt } of filesIn(unfinished)) {
      if (changedAt >= before) continue;
      await rm(join(unfinished, name), { force: true });
      removed++;
    }
    return removed;
  }

  async function check(): Promise<void> {
    await writeUnfinished('check', once(Buffer.from('check')), (path) => rm(path));
  }

  return { write, read, size, remove, list, removeUnfinished, check };
}

async function writeSynced(path: string, source: AsyncIterable<Uint8Array>): Promise<{ size: number }> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(source);
  await file.sync();
  const { size } = await file.stat();
  return { size };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function namesIn(folder: string, pattern = /./): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isNotFound(error)) return [];
    throw error;
  });
  return names.filter((name) => pattern.test(name));
}

async function* filesIn(folder: string): AsyncGenerator<{ name: string; changedAt: Date }> {
  for (const name of await namesIn(folder)) {
    const found = await stat(join(folder, name)).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    if (found) yield { name, changedAt: found.mtime };
  }
}

function throwMissing(id: string, error: unknown): never {
  throw isNotFound(error) ? new BlobMissing(id, { cause: error }) : error;
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
