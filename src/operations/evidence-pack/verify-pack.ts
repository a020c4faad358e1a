import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignatureBroken } from '../../accounts/index.ts';
import { listed, type ManifestContents, readManifest } from './manifest.ts';

const MANIFEST = 'manifest.json';

/**
 * Checks a pack by itself, without database or network; throws SignatureBroken with the first thing that is wrong: a
 * file that was changed, is missing, or was added.
 */
export async function verifyPack(
  folder: string,
  keys: readonly string[] | null,
): Promise<{ contents: ManifestContents; fingerprint: string }> {
  const verified = readManifest(await readIn(folder, MANIFEST), keys);
  const { files } = verified.contents;
  for (const file of files) {
    const { sha256, bytes } = listed(file.name, await readIn(folder, file.name));
    if (sha256 !== file.sha256 || bytes !== file.bytes) throw new SignatureBroken(`${file.name} was changed`);
  }
  const known = new Set([MANIFEST, ...files.map(({ name }) => name)]);
  const added = (await readdir(folder)).find((name) => !known.has(name));
  if (added !== undefined) throw new SignatureBroken('there is a file that does not belong to the pack');
  return verified;
}

async function readIn(folder: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(folder, name));
  } catch {
    throw new SignatureBroken(`${name} is missing`);
  }
}
