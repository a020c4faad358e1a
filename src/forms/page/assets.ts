import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Asset } from '../../platform/http/pages/send-compressed.ts';

export interface PageAssets {
  /** The address of the script that a page loads; the others are loaded by it. */
  script: string;
  /** By the name in `/f/-/NAME`. */
  files: Map<string, Asset>;
}

/** What was built, and from what: it is out of date as soon as one of the sources has another hash. */
export interface Manifest {
  script: string;
  names: string[];
  /** Hashes by the path from the root of the product. */
  sources: Record<string, string>;
}

export const ROOT = join(import.meta.dirname, '..', '..', '..');

/** It is made from what is installed and is of no use without, so it lies in node_modules and goes with it. */
export const BUILT = join(ROOT, 'node_modules', '.carepost', 'page');

/** Reads the script of the page, and builds it first where it is not there or out of date. */
export async function loadPageAssets(): Promise<PageAssets> {
  const manifest = (await currentManifest()) ?? (await (await import('./build-assets.ts')).buildPageAssets());
  const files = await Promise.all(manifest.names.map(async (name) => [name, await readAsset(name)] as const));
  return { script: `/f/-/${manifest.script}`, files: new Map(files) };
}

/** The hash of each of these files by its path, as the manifest has them. */
export async function hashSources(paths: readonly string[]): Promise<Record<string, string>> {
  const hashes = paths.map(async (path) => [path, await hashSource(path)] as const);
  return Object.fromEntries(await Promise.all(hashes));
}

async function hashSource(path: string): Promise<string> {
  const text = await readFile(join(ROOT, path));
  return createHash('sha256').update(text).digest('base64url');
}

/** What was built, where it is of this version. */
export async function currentManifest(): Promise<Manifest | null> {
  try {
    const manifest = JSON.parse(await readFile(join(BUILT, 'manifest.json'), 'utf8')) as Manifest;
    const hashes = await hashSources(Object.keys(manifest.sources));
    return Object.entries(hashes).every(([path, hash]) => manifest.sources[path] === hash) ? manifest : null;
  } catch {
    return null;
  }
}

async function readAsset(name: string): Promise<Asset> {
  const [plain, gzip, br] = await Promise.all(['', '.gz', '.br'].map((end) => readFile(join(BUILT, name + end))));
  return { type: 'text/javascript; charset=utf-8', plain, gzip, br } as Asset;
}
