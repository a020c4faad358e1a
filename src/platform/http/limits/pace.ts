import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../clock.ts';

const WINDOW_MS = 30_000;
const LEAST_BYTES_PER_SECOND = 500;
/** What was stored for a request and belongs to nothing may be swept after this, and not before. */
export const LONGEST_REQUEST_MS = 24 * 3600_000;

interface Watched {
  begun: number;
  bytes: number;
  since: number;
}

export interface Pace {
  /** Watches a request until its body has come, or its connection has gone. */
  watch(request: IncomingMessage): void;
  /** Gives up those that came too slowly since the last look; called every few seconds. */
  look(): void;
}

/**
 * Keeps bodies from trickling in for ever. A patient on a slow line may take as long as 250 MB take there, so
 * the limit is a least number of bytes in every half minute, and a day.
 */
export function createPace(clock: Clock, giveUp: (request: IncomingMessage) => void): Pace {
  const watched = new Map<IncomingMessage, Watched>();
  return {
    watch(request) {
      if (request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0)
        return;
      const now = clock.now().getTime();
      watched.set(request, { begun: now, bytes: request.socket.bytesRead, since: now });
      const forget = () => watched.delete(request);
      request.once('end', forget);
      request.once('close', forget);
    },
    look() {
      const now = clock.now().getTime();
      for (const [request, { begun, bytes, since }] of watched) {
        if (now - since < WINDOW_MS) continue;
        const wanted = ((now - since) / 1_000) * LEAST_BYTES_PER_SECOND;
        const { bytesRead } = request.socket;
        if (bytesRead - bytes < wanted || now - begun > LONGEST_REQUEST_MS) giveUp(request);
        watched.set(request, { begun, bytes: bytesRead, since: now });
      }
    },
  };
}
