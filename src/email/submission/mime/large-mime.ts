import { Worker } from 'node:worker_threads';
import { AppError } from '../../../platform/errors.ts';
import type { ParseAnswer } from './mime-thread.ts';
import { type ParsedMime, parseMime } from './parse-mime.ts';

/** Up to here taking a message apart costs a few milliseconds; above, others would notice the wait. */
const LARGEST_HERE = 256 * 1024;
const LONGEST_PARSE_MS = 60_000;
const RESOURCES = { maxOldGenerationSizeMb: 768 };

export interface MimeParser {
  /** Takes a message apart, or rejects naming what cannot be read. The bytes are given away. */
  parse(mime: Uint8Array<ArrayBuffer>): Promise<ParsedMime>;
  stop(): Promise<void>;
}

/** Takes small messages apart at once, and large ones on a thread of their own, one after the other. */
export function createMimeParser(): MimeParser {
  let worker: Worker | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let lastId = 0;

  function startWorker(): Worker {
    const started = new Worker(new URL('./mime-thread.ts', import.meta.url), { resourceLimits: RESOURCES });
    started.unref();
    started.on('error', () => {}); // comes before the exit
    started.once('exit', () => (worker = null));
    return started;
  }

  /** A thread that ran out of time or memory is ended with its message; the next message gets a new one. */
  async function parseApart(mime: Uint8Array<ArrayBuffer>): Promise<ParsedMime> {
    const current = (worker ??= startWorker());
    lastId += 1;
    const id = lastId;
    const answer = Promise.withResolvers<ParseAnswer>();
    const giveUp = () => answer.resolve({ id, parsed: null, refusal: 'The message takes too much to read' });
    const take = (message: ParseAnswer) => message.id === id && answer.resolve(message);
    const timer = setTimeout(() => void current.terminate(), LONGEST_PARSE_MS);
    current.on('message', take).once('exit', giveUp);
    current.postMessage({ id, mime }, [mime.buffer]);
    try {
      const { parsed, refusal } = await answer.promise;
      if (parsed === null) throw new AppError('invalid_request', refusal);
      return parsed;
    } finally {
      clearTimeout(timer);
      current.off('message', take).off('exit', giveUp);
    }
  }

  return {
    async parse(mime) {
      if (mime.length <= LARGEST_HERE) return parseMime(mime);
      const parsed = queue.then(() => parseApart(mime));
      queue = parsed.catch(() => {});
      return parsed;
    },
    async stop() {
      await worker?.terminate();
    },
  };
}
