import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type FileOnItsWay, type IncomingFile, sendFile } from './incoming-file.ts';
import type { FromThread, Scanned, ThreadSetup, ToThread } from './messages.ts';

/** One core stays with the requests. */
const COUNT = Math.max(1, availableParallelism() - 1);
/** A thread that cannot even start must not be started again and again at once. */
const RESTART_MS = 1_000;
const THREAD = new URL('./thread.ts', import.meta.url);

export interface SealingThreads {
  /** Begins a file under a key of its own; `base64` where its bytes come as such text. */
  begin(file: { id: string; key: Uint8Array; context: string; base64: boolean }): IncomingFile;
  stop(): Promise<void>;
}

interface Deps extends ThreadSetup {
  log: Log;
  onScanned(outcome: Exclude<Scanned, null>): void;
  onStoreFailed(): void;
}

interface Thread {
  worker: Worker;
  files: Map<number, FileOnItsWay>;
}

/** Threads that seal and store files. One that dies takes its files with it and is replaced. */
export function startSealingThreads({ log, onScanned, onStoreFailed, ...setup }: Deps): SealingThreads {
  const threads: Thread[] = [];
  let lastFile = 0;
  let stopping = false;

  function startThread(): void {
    if (stopping) return;
    const thread: Thread = { worker: new Worker(THREAD, { workerData: setup }), files: new Map() };
    thread.worker.on('message', (message: FromThread) => {
      thread.files.get(message.file)?.hear(message);
      if ('emptied' in message) return;
      thread.files.delete(message.file);
      if (message.scanned !== null) onScanned(message.scanned);
      if ('failed' in message && message.storeFailed) onStoreFailed();
    });
    thread.worker.on('error', (error) => log.error({ err: error }, 'a sealing thread failed'));
    thread.worker.on('exit', () => {
      for (const file of thread.files.values()) file.lose();
      threads.splice(threads.indexOf(thread), 1);
      if (!stopping) setTimeout(startThread, RESTART_MS).unref();
    });
    threads.push(thread);
    // It counts anew once it is up: without this, a start that failed elsewhere would never end.
    thread.worker.once('online', () => thread.worker.unref());
    thread.worker.unref();
  }

  for (let count = 0; count < COUNT; count += 1) startThread();

  return {
    begin(about) {
      if (threads.length === 0) {
        throw new AppError('unavailable', 'Files cannot be stored at the moment', { retryAfterSeconds: 1 });
      }
      const thread = threads.reduce((one, other) => (other.files.size < one.files.size ? other : one));
      const file = (lastFile += 1);
      const post = (message: ToThread, transfer: ArrayBuffer[] = []) => thread.worker.postMessage(message, transfer);
      const sent = sendFile(file, post);
      thread.files.set(file, sent);
      post({ do: 'begin', file, ...about });
      return sent;
    },
    async stop() {
      stopping = true;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
