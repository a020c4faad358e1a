import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashSources, ROOT } from '../../page/assets.ts';

/** The bundled script, with the hashes of what it was made from. */
export interface BuiltScript {
  code: string;
  sources: Record<string, string>;
}

/** It is made from what is installed and is of no use without, so it lies in node_modules and goes with it. */
export const BUILT = join(ROOT, 'node_modules', '.carepost', 'verify.json');

/** The script that checks certificates, built first where it is not there or out of date. */
export async function loadVerifyScript(): Promise<string> {
  const { code } = (await currentScript()) ?? (await (await import('./build-script.ts')).buildScript());
  return code;
}

/** What was built, where it is of this version. */
export async function currentScript(): Promise<BuiltScript | null> {
  try {
    const built = JSON.parse(await readFile(BUILT, 'utf8')) as BuiltScript;
    const hashes = await hashSources(Object.keys(built.sources));
    return Object.entries(hashes).every(([path, hash]) => built.sources[path] === hash) ? built : null;
  } catch {
    return null;
  }
}
