import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';
import { BUILT, hashSources, type Manifest, ROOT } from './assets.ts';

const SCRIPT = join(import.meta.dirname, 'script');

/** What makes the script beside its own sources: how it is built, and the packages in it. */
const ALWAYS = ['package-lock.json', 'src/forms/page/build-assets.ts'];

/** The package's plain modules; the ones it offers by itself are rewritten for far older browsers at twice the size. */
const TUS = join(ROOT, 'node_modules/tus-js-client/lib/browser/index.js');

/** Bundles the script of the page for old phones and compresses it once for all visitors. */
export async function buildPageAssets(): Promise<Manifest> {
  // Older browsers take no modules as workers.
  const worker = await bundle('proof-worker.ts', 'iife', {});
  const main = await bundle('main.ts', 'esm', { PROOF_WORKER: JSON.stringify(worker.entry) });
  const chunks = [...main.chunks, ...worker.chunks];
  const manifest: Manifest = {
    script: main.entry,
    names: chunks.map(({ fileName }) => fileName),
    sources: await hashSources([...new Set([...ALWAYS, ...main.sources, ...worker.sources])].toSorted()),
  };
  await mkdir(BUILT, { recursive: true });
  for (const { fileName, code } of chunks) await writeCompressed(fileName, Buffer.from(code));
  await writeWhole('manifest.json', JSON.stringify(manifest));
  await removeOthers(manifest.names);
  return manifest;
}

interface Bundle {
  /** The name of the file that loads the others. */
  entry: string;
  chunks: OutputChunk[];
  sources: string[];
}

async function bundle(file: string, format: 'esm' | 'iife', constants: Record<string, string>): Promise<Bundle> {
  const bundling = await rolldown({
    input: join(SCRIPT, file),
    platform: 'browser',
    resolve: { alias: { 'tus-js-client': TUS } },
    transform: { target: 'es2019', define: constants },
  });
  const names = '[name].[hash].js';
  const { output } = await bundling.generate({ format, minify: true, entryFileNames: names, chunkFileNames: names });
  const chunks = output.filter((each) => each.type === 'chunk');
  const sources = await bundling.watchFiles;
  await bundling.close();
  return {
    entry: chunks.find(({ isEntry }) => isEntry)?.fileName ?? '',
    chunks,
    sources: sources.filter(isOwn).map(fromRoot),
  };
}

/** Packages are known by the lock. */
function isOwn(path: string): boolean {
  return path.startsWith(join(ROOT, 'src'));
}

function fromRoot(path: string): string {
  return relative(ROOT, path);
}

async function writeCompressed(name: string, plain: Buffer): Promise<void> {
  await writeWhole(name, plain);
  await writeWhole(`${name}.gz`, gzipSync(plain, { level: 9 }));
  await writeWhole(`${name}.br`, brotliCompressSync(plain));
}

/** Others may build or read at the same time: they see a file whole or not at all. */
async function writeWhole(name: string, content: string | Buffer): Promise<void> {
  const draft = join(BUILT, `${randomUUID()}.draft`);
  await writeFile(draft, content);
  await rename(draft, join(BUILT, name));
}

async function removeOthers(names: readonly string[]): Promise<void> {
  const kept = new Set(['manifest.json', ...names.flatMap((name) => [name, `${name}.gz`, `${name}.br`])]);
  const others = (await readdir(BUILT)).filter((name) => !kept.has(name) && !name.endsWith('.draft'));
  await Promise.all(others.map((name) => rm(join(BUILT, name), { force: true })));
}
