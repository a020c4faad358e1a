import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Invocation, required, UsageError } from './command.ts';

/** Writes what a new file holds, at once or piece by piece. */
export type WriteFile = (content: string | Uint8Array | AsyncIterable<Buffer>) => Promise<void>;

/**
 * Fills the file that an option names, for the eyes of its owner only. It is opened before the work begins, so that one
 * that is in the way stops the work; half a file does not stay, nor one that nothing was written to.
 */
export async function intoNewFile<T>(
  invocation: Invocation,
  name: string,
  fill: (write: WriteFile) => Promise<T>,
): Promise<T> {
  const file = required(invocation, name);
  const opened = await openNew(file).catch(() => {
    throw new UsageError(`--${name} takes a file that is not there yet, in a folder that is`);
  });
  let isWritten = false;
  try {
    const filled = await fill(async (content) => {
      const pieces = typeof content === 'string' || content instanceof Uint8Array ? [Buffer.from(content)] : content;
      await pipeline(pieces, opened.createWriteStream({ flush: true }));
      isWritten = true;
    });
    if (!isWritten) await rm(file, { force: true });
    return filled;
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await opened.close();
  }
}

/** An empty one is what work that was cut off has left. */
async function openNew(file: string): Promise<FileHandle> {
  const isLeft = await stat(file).then(
    (found) => found.isFile() && found.size === 0,
    () => false,
  );
  if (isLeft) await rm(file);
  return open(file, 'wx', 0o600);
}
