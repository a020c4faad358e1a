import { Upload } from 'tus-js-client';
import { fingerprintOf, sessionUploads } from './session-storage.ts';

const CHUNK_BYTES = 5 * 1024 * 1024;
const RETRY_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];

/** What becomes of a file on its way. */
export interface Watching {
  progress(percent: number): void;
  /** It waits for a connection. */
  paused(): void;
  /** It has arrived, and whoever has this token may send it along. */
  arrived(token: string): void;
  failed(): void;
}

/** Where a file is sent, for which question, and what opens the form where it is not open to everybody. */
export interface Destination {
  url: string;
  path: string;
  gate: Readonly<Record<string, string>>;
}

/** Sends a file in pieces that survive a dropped connection and a reload. Returns a way to give it up. */
export function sendFile(file: File, to: Destination, watching: Watching): () => void {
  let isGivenUp = false;
  const upload: Upload = new Upload(file, {
    endpoint: new URL(to.url, location.href).href,
    chunkSize: CHUNK_BYTES,
    retryDelays: RETRY_MS,
    metadata: { filename: file.name, filetype: file.type, field: to.path, ...to.gate },
    fingerprint: () => Promise.resolve(fingerprintOf(file, to)),
    urlStorage: sessionUploads,
    // The same file chosen once more is another one.
    removeFingerprintOnSuccess: true,
    onProgress: (sent, all) => watching.progress(all === 0 ? 100 : Math.floor((100 * sent) / all)),
    onSuccess: () => watching.arrived(tokenIn(upload.url)),
    onError: () => {
      if (navigator.onLine) return watching.failed();
      watching.paused();
      return window.addEventListener('online', () => isGivenUp || upload.start(), { once: true });
    },
  });
  void startOrResume(upload);
  return () => {
    isGivenUp = true;
    upload.abort(true).catch(() => undefined);
  };
}

async function startOrResume(upload: Upload): Promise<void> {
  const [earlier] = await upload.findPreviousUploads();
  if (earlier !== undefined) upload.resumeFromPreviousUpload(earlier);
  upload.start();
}

function tokenIn(url: string | null): string {
  return (url ?? '').split('/').pop() ?? '';
}
