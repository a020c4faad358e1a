import type { ErrorCode } from '../../errors.ts';

/** How a sealing thread is set up. */
export interface ThreadSetup {
  blobUrl: string;
  /** The virus scanner, where there is one. */
  clamd: string | null;
}

/** What the server tells a sealing thread. */
export type ToThread =
  | { do: 'begin'; file: number; id: string; key: Uint8Array; context: string; base64: boolean }
  | { do: 'piece'; file: number; buffer: ArrayBuffer; length: number }
  | { do: 'end'; file: number }
  | { do: 'abort'; file: number };

/** What a thread found of a file that is durable now. */
export interface Finished {
  size: number;
  sha256: Uint8Array;
  /** The type that the first bytes give away. */
  type: string | null;
}

/** Why a file was not taken, as its sender may know it. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  fields: Record<string, string[]>;
  retryAfterSeconds?: number;
}

/** What the virus scanner made of a file; null where it was not asked, or not to the end. */
export type Scanned = 'clean' | 'infected' | 'failed' | null;

/** What a sealing thread tells the server: a buffer that may be filled again, or how a file ended. */
export type FromThread =
  | { file: number; emptied: ArrayBuffer }
  | { file: number; finished: Finished; scanned: Scanned }
  | { file: number; failed: Refusal | null; scanned: Scanned; storeFailed: boolean };
