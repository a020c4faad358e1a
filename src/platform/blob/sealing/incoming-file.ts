import { AppError } from '../../errors.ts';
import type { Finished, FromThread, Refusal, ToThread } from './messages.ts';

const BUFFER_BYTES = 256 * 1024;
const MOST_BUFFERS = 3;

/** Where the bytes of one file go, as fast as a thread takes them. */
export interface IncomingFile {
  /** Takes bytes in; a promise where there is no room for more yet. Throws once the file has failed. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Resolves once the file is durable. */
  end(): Promise<Finished>;
  /** Gives the file up; nothing of it stays. */
  abort(): void;
}

/** A file on its way to a thread, and the side that hears from the thread. */
export interface FileOnItsWay extends IncomingFile {
  hear(message: FromThread): void;
  /** Ends it where the thread is gone. */
  lose(): void;
}

type Post = (message: ToThread, transfer?: ArrayBuffer[]) => void;

/** Sends a file to a thread in a few buffers that go back and forth, so that its memory is bounded. */
export function sendFile(file: number, post: Post): FileOnItsWay {
  const spare: ArrayBuffer[] = [];
  let made = 0;
  let current: Buffer | null = null;
  let filled = 0;
  let failure: AppError | null = null;
  let wake: (() => void) | null = null;
  let isOver = false;
  const outcome = Promise.withResolvers<Finished>();
  outcome.promise.catch(() => {}); // heard by whoever writes next or waits for the end

  function release(): void {
    isOver = true;
    spare.length = 0;
    current = null;
  }

  function fail(error: AppError): void {
    release();
    failure ??= error;
    outcome.reject(failure);
    wake?.();
  }

  function takeBuffer(): boolean {
    const buffer = spare.pop() ?? (made < MOST_BUFFERS ? new ArrayBuffer(BUFFER_BYTES) : null);
    if (buffer === null) return false;
    made = Math.min(made + 1, MOST_BUFFERS);
    current = Buffer.from(buffer);
    filled = 0;
    return true;
  }

  function ship(): void {
    if (current === null || filled === 0) return;
    const { buffer } = current;
    post({ do: 'piece', file, buffer, length: filled } as ToThread, [buffer as ArrayBuffer]);
    current = null;
  }

  async function writeAsRoomComes(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      if (failure !== null) throw failure;
      if (current === null && !takeBuffer()) {
        await new Promise<void>((resolve) => (wake = resolve));
        wake = null;
        continue;
      }
      const taken = bytes.subarray(at, at + BUFFER_BYTES - filled);
      (current as Buffer).set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled === BUFFER_BYTES) ship();
    }
  }

  return {
    write(bytes) {
      if (failure !== null) throw failure;
      if (current === null || filled + bytes.length >= BUFFER_BYTES) return writeAsRoomComes(bytes);
      current.set(bytes, filled);
      filled += bytes.length;
      return undefined;
    },
    end() {
      if (failure === null) {
        ship();
        post({ do: 'end', file });
        release();
      }
      return outcome.promise;
    },
    abort() {
      if (failure === null) post({ do: 'abort', file });
      fail(new AppError('invalid_request', 'The file was given up'));
    },
    hear(message) {
      if ('emptied' in message) {
        if (!isOver) spare.push(message.emptied);
      } else if ('finished' in message) outcome.resolve(message.finished);
      else fail(message.failed === null ? notStored() : toError(message.failed));
      wake?.();
    },
    lose: () => fail(notStored()),
  };
}

function notStored(): AppError {
  return new AppError('unavailable', 'The file could not be stored', { retryAfterSeconds: 1 });
}

function toError({ code, message, ...extras }: Refusal): AppError {
  return new AppError(code, message, extras);
}
