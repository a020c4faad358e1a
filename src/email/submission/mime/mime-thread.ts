import { type MessagePort, parentPort } from 'node:worker_threads';
import { AppError } from '../../../platform/errors.ts';
import { joined } from './joined.ts';
import { type ParsedMime, parseMime } from './parse-mime.ts';

export interface ParseRequest {
  id: number;
  pieces: Uint8Array<ArrayBuffer>[];
}

export interface ParseAnswer {
  id: number;
  parsed: ParsedMime | null;
  /** What cannot be read, where that is the answer. */
  refusal: string;
}

// The other end of large-mime.ts: takes messages apart away from the thread that serves everybody.
const port = parentPort as MessagePort;

port.on('message', ({ id, pieces }: ParseRequest) => {
  try {
    const parsed = parseMime(joined(pieces));
    // Small files share a buffer with others, which cannot be given away.
    const alone = parsed.attachments.filter(({ content }) => content.length === content.buffer.byteLength);
    const given = alone.map(({ content }) => content.buffer as ArrayBuffer);
    port.postMessage({ id, parsed, refusal: '' } satisfies ParseAnswer, given);
  } catch (error) {
    const refusal = error instanceof AppError ? error.message : 'The message cannot be read';
    port.postMessage({ id, parsed: null, refusal } satisfies ParseAnswer);
  }
});
