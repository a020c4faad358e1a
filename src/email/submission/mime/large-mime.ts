import { Worker } from 'node:worker_threads';
import { AppError } from '../../../platform/errors.ts';
import { joined } from './joined.ts';
import type { ParseAnswer, ParseRequest } from './mime-thread.ts';
import { type ParsedMime, parseMime } from './parse-mime.ts';
import { SmallestFirst } from './smallest-first.ts';

/** Up to here taking a message apart costs a few milliseconds; above, others would notice the wait. */
const LARGEST_HERE = 256 * 1024;
const LONGEST_PARSE_MS = 60_000;
const RESOURCES = { maxOldGenerationSizeMb: 768 };

export interface MimeParser {
  /** Takes a message apart that came in pieces, or rejects naming what cannot be read. The pieces are given away. */
  parse(pieces: Buffer<ArrayBuffer>[]): Promise<ParsedMime>;
  stop(): Promise<void>;
}

interface Waiting {
  pieces: Buffer<ArrayBuffer>[];
  outcome: PromiseWithResolvers<ParsedMime>;
}

/** Takes small messages apart at once, and large ones on a thread of their own, one after the other and the smaller first. */
export function createMimeParser(): MimeParser {
  let worker: Worker | null = null;
  const waiting = new SmallestFirst<Waiting>();
  let isWorking = false;
  let lastId = 0;

  function startWorker(): Worker {
    const started = new Worker(new URL('./mime-thread.ts', import.meta.url), { resourceLimits: RESOURCES });
    started.unref();
    started.on('error', () => {}); // comes before the exit
    started.once('exit', () => (worker = null));
    return started;
  }

  /** A thread that ran out of time or memory is ended with its message; the next message gets a new one. */
  async function parseApart(pieces: Buffer<ArrayBuffer>[]): Promise<ParsedMime> {
    const current = (worker ??= startWorker());
    lastId += 1;
    const id = lastId;
    const answer = Promise.withResolvers<ParseAnswer>();
    const giveUp = () => answer.resolve({ id, parsed: null, refusal: 'The message takes too much to read' });
    const take = (message: ParseAnswer) => message.id === id && answer.resolve(message);
    const timer = setTimeout(() => void current.terminate(), LONGEST_PARSE_MS);
    current.on('message', take).once('exit', giveUp);
    const buffers = pieces.map(({ buffer }) => buffer);
    current.postMessage({ id, pieces } satisfies ParseRequest, buffers);
    try {
      const { parsed, refusal } = await answer.promise;
      if (parsed === null) throw new AppError('invalid_request', refusal);
      return parsed;
    } finally {
      clearTimeout(timer);
      current.off('message', take).off('exit', giveUp);
    }
  }

  async function workOff(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) {
      const { resolve, reject } = next.outcome;
      await parseApart(next.pieces).then(resolve, reject);
    }
    isWorking = false;
  }

  return {
    async parse(pieces) {
      const size = pieces.reduce((sum, { length }) => sum + length, 0);
      if (size <= LARGEST_HERE) return parseMime(joined(pieces));
      const outcome = Promise.withResolvers<ParsedMime>();
      waiting.add(size, { pieces, outcome });
      void workOff();
      return outcome.promise;
    },
    async stop() {
      await worker?.terminate();
    },
  };
}
