import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { requireBuildable } from '../../platform/http/pages/require-buildable.ts';
import type { Asset } from '../../platform/http/pages/send-compressed.ts';

export const ROOT = join(import.meta.dirname, '..', '..', '..');
export const SOURCES = join(ROOT, 'web');

/** It is made from what is installed and is of no use without, so it lies in node_modules and goes with it. */
export const BUILT = join(ROOT, 'node_modules', '.carepost', 'web');

export const MANIFEST = 'carepost.json';

/** What was built, and from what. */
export interface Manifest {
  /** The hash of everything that it was made from. */
  stamp: string;
  /** The modules of the server that the dashboard uses too. */
  shared: string[];
  names: string[];
}

/** The dashboard as browsers get it. */
export interface Web {
  page: string;
  /** By the name in `/app/-/NAME`. */
  files: Map<string, Asset>;
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads the dashboard, and builds it first where it is not there or out of date. */
export async function loadWeb(): Promise<Web> {
  const manifest = (await currentManifest()) ?? (await (await import('./build.ts')).buildWeb());
  const files = await Promise.all(manifest.names.map(async (name) => [name, await readAsset(name)] as const));
  return { page: await readFile(join(BUILT, 'index.html'), 'utf8'), files: new Map(files) };
}

/** Refuses a dashboard that is out of date where this user cannot build it: visitors would get errors only. */
export async function refuseUnbuiltWeb(): Promise<void> {
  if ((await currentManifest()) === null) await requireBuildable('the dashboard is', dirname(BUILT));
}

/** The hash of the dashboard's own sources, of these modules and of the packages. */
export async function stampOf(shared: readonly string[]): Promise<string> {
  const own = (await Array.fromAsync(glob('**/*.*', { cwd: SOURCES }))).map((path) => join('web', path));
  const hash = createHash('sha256');
  for (const path of ['package-lock.json', ...own.toSorted(), ...shared]) {
    hash.update(`${path}\n`).update(await readFile(join(ROOT, path)));
  }
  return hash.digest('base64url');
}

async function currentManifest(): Promise<Manifest | null> {
  try {
    const manifest = JSON.parse(await readFile(join(BUILT, MANIFEST), 'utf8')) as Manifest;
    return manifest.stamp === (await stampOf(manifest.shared)) ? manifest : null;
  } catch {
    return null;
  }
}

async function readAsset(name: string): Promise<Asset> {
  const [plain, gzip, br] = await Promise.all(['', '.gz', '.br'].map((end) => readFile(join(BUILT, name + end))));
  return { type: TYPES[extname(name)] ?? 'application/octet-stream', plain, gzip, br } as Asset;
}
