import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'rolldown';
import { hashSources, ROOT } from '../../page/assets.ts';
import { BUILT, type BuiltScript } from './load-script.ts';

const ALWAYS = ['package-lock.json', 'src/forms/certificate/page/build-script.ts'];

/** Bundles the script that checks certificates, with the very code that the command line runs. */
export async function buildScript(): Promise<BuiltScript> {
  const { output } = await build({
    input: join(import.meta.dirname, 'script', 'verify.ts'),
    platform: 'browser',
    write: false,
    transform: { target: 'es2020' },
    output: { format: 'iife', minify: true },
  });
  const [{ code, moduleIds }] = output;
  const own = moduleIds.filter((id) => id.startsWith(join(ROOT, 'src'))).map((id) => relative(ROOT, id));
  // Inlined in a page, it must not end the element that it stands in.
  const built = { code: code.trim().replaceAll('</', '<\\/'), sources: await hashSources([...ALWAYS, ...own]) };
  await mkdir(dirname(BUILT), { recursive: true });
  // Others may build or read at the same time: they see the file whole or not at all.
  const draft = `${BUILT}.${randomUUID()}.draft`;
  await writeFile(draft, JSON.stringify(built));
  await rename(draft, BUILT);
  return built;
}
