import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { BUILT, MANIFEST, type Manifest, ROOT, SOURCES, stampOf } from './built.ts';
import { viteConfig } from './vite-config.ts';

/** Builds the dashboard and compresses it once for all visitors. Others that build meanwhile see it whole or not at all. */
export async function buildWeb(): Promise<Manifest> {
  const draft = `${BUILT}-${randomUUID()}`;
  await mkdir(dirname(BUILT), { recursive: true });
  const output = (await build(viteConfig(SOURCES, draft))) as Rolldown.RolldownOutput;
  const modules = output.output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
  const own = join(ROOT, 'src');
  const shared = [...new Set(modules.filter((id) => id.startsWith(own)).map((id) => relative(ROOT, id)))].toSorted();
  const names = (await readdir(draft)).filter((name) => name !== 'index.html');
  await Promise.all(names.map((name) => compress(join(draft, name))));
  const manifest = { stamp: await stampOf(shared), shared, names };
  await writeFile(join(draft, MANIFEST), JSON.stringify(manifest));
  await replace(draft);
  return manifest;
}

async function compress(path: string): Promise<void> {
  const plain = await readFile(path);
  await writeFile(`${path}.gz`, gzipSync(plain, { level: 9 }));
  await writeFile(`${path}.br`, brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
}

/** A folder cannot be put over another one: the old one steps aside first. */
async function replace(draft: string): Promise<void> {
  const old = `${BUILT}-${randomUUID()}`;
  await rename(BUILT, old).catch(() => undefined);
  try {
    await rename(draft, BUILT);
  } catch {
    await rm(draft, { recursive: true, force: true }); // somebody else was faster, with the same
  }
  await rm(old, { recursive: true, force: true });
}
