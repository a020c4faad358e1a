import { programsMajor } from '../../platform/db/embedded-version.ts';
import type { SignedManifest } from '../backup/index.ts';

/** The major version of PostgreSQL that a backup is of. */
export function majorOf({ server }: SignedManifest): number {
  return Math.floor(server.version / 10_000);
}

/** Refuses programs that cannot run a backup's data directory. */
export function requireMajor(manifest: SignedManifest, binaries: string): void {
  const wanted = majorOf(manifest);
  if (programsMajor(binaries) !== wanted) {
    throw new Error(`the backup is of PostgreSQL ${wanted}: name the folder with its programs by --postgres`);
  }
}
