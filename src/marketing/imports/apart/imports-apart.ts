import { createOwnProcess, type OwnProcess } from '../../../platform/jobs/own-process.ts';
import type { Which } from '../which.ts';

/** What the process stands on. */
export interface Setup {
  ownerUrl: string;
  poolerUrl: string | null;
  masterKeyFile: string;
  keyStoreFolder: string | null;
  blobUrl: string;
  logLevel: string;
}

/** Small: it reads and writes a few thousand rows at a time. */
const FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=20', '--v8-pool-size=1'];

/** Works on large imports in a process of their own: their garbage must not keep those waiting who are served. */
export function createImportsApart(setup: Setup): OwnProcess<Which, boolean> {
  return createOwnProcess({ script: new URL('./process.ts', import.meta.url), setup, flags: FLAGS });
}
