import { createHash, createPublicKey, sign, verify } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SigningKey } from '../../accounts/index.ts';
import { writeWhole } from '../../platform/durable-files.ts';
import { type ChainKey, fingerprint } from './chain-key.ts';
import { DamagedBackup } from './damaged.ts';
import type { FileEntry } from './sealed-file.ts';

/** What one run added to a chain of backups, signed by the installation. */
export interface Manifest {
  format: 1;
  chain: string;
  number: number;
  kind: 'full' | 'incremental';
  /** SHA-256 of the manifest before it; of a chain's first one, the newest of the chain before when it began. */
  previous: string | null;
  run: string;
  started_at: string;
  /** From when to when the database can be restored by what stands here and before it in the chain. */
  restorable_from: string;
  restorable_until: string;
  carepost: string;
  migration: string;
  server: ServerFacts;
  wal: { timeline: number; from: string; to: string };
  files: FileEntry[];
  blobs: { files: number; bytes: number };
  key_store: 'database' | 'folder';
  /** Rows as the statistics of PostgreSQL estimate them. */
  tables: Record<string, number>;
  audit_heads: { customer: number; seq: number; hash: string }[];
  signed_by: string;
}

/** What a restored copy needs to know of the server. */
export interface ServerFacts {
  system_id: string;
  version: number;
  segment_bytes: number;
  database: string;
  owner: string;
  embedded: boolean;
}

/** A manifest and what the next one names it by. */
export interface SignedManifest extends Manifest {
  sha256: string;
}

/** Writes a manifest: two lines, itself and its signature. Only then its run counts. */
export async function writeManifest(
  folder: string,
  { privateKey, publicKey }: SigningKey,
  manifest: Omit<Manifest, 'signed_by'>,
): Promise<SignedManifest> {
  const signedBy = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const body: Manifest = { ...manifest, signed_by: signedBy };
  const line = JSON.stringify(body);
  const text = `${line}\n${sign(null, Buffer.from(line), privateKey).toString('base64')}\n`;
  await writeWhole(join(folder, nameOf(manifest.number)), text);
  return { ...body, sha256: hashOf(text) };
}

/** The manifests of a chain in their order; throws a DamagedBackup where one is missing, altered or another's. */
export async function readManifests(
  folder: string,
  chain: string,
  { signer }: Pick<ChainKey, 'signer'>,
): Promise<SignedManifest[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX)).toSorted();
  const read: SignedManifest[] = [];
  for (const [index, name] of names.entries()) {
    const said = `${chain}/${name}`;
    if (name !== nameOf(index + 1)) throw new DamagedBackup(`${chain}/${nameOf(index + 1)} is missing`);
    const manifest = openManifest(await readFile(join(folder, name), 'utf8'), said, signer);
    const before = read.at(-1);
    if (manifest.chain !== chain || manifest.number !== index + 1 || (before && manifest.previous !== before.sha256)) {
      throw new DamagedBackup(`${said} belongs elsewhere`);
    }
    read.push(manifest);
  }
  return read;
}

function openManifest(text: string, said: string, signer: string): SignedManifest {
  try {
    const [line = '', signature = ''] = text.split('\n');
    const manifest = JSON.parse(line) as Manifest;
    const key = createPublicKey({ key: Buffer.from(manifest.signed_by, 'base64'), type: 'spki', format: 'der' });
    if (fingerprint(key) === signer && verify(null, Buffer.from(line), key, Buffer.from(signature, 'base64'))) {
      return { ...manifest, sha256: hashOf(text) };
    }
  } catch (error) {
    throw new DamagedBackup(`${said} cannot be read`, { cause: error });
  }
  throw new DamagedBackup(`${said} is not signed by this installation`);
}

const SUFFIX = '.manifest';

/** What the names of a run's files begin with. */
export function numbered(number: number): string {
  return String(number).padStart(6, '0');
}

function nameOf(number: number): string {
  return `${numbered(number)}${SUFFIX}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
