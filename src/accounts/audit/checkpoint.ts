import { createHash, sign, verify } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SigningKey } from './signing-key.ts';

const BLOCK = 64 * 1024;

/** The heads of the chains that had grown at one moment. */
export interface Checkpoint {
  number: number;
  at: string;
  heads: { customer: number; seq: number; hash: string }[];
}

/** One signed line: the checkpoint as JSON, the key's name, the signature. */
export function signCheckpoint(key: SigningKey, checkpoint: Checkpoint): string {
  const text = JSON.stringify(checkpoint);
  return `${text}\t${keyName(key)}\t${sign(null, Buffer.from(text), key.privateKey).toString('base64')}`;
}

/** Reads a line back, or null where it was not signed by this installation or was altered. */
export function readCheckpoint(key: SigningKey, line: string): Checkpoint | null {
  const [text = '', name, signature = ''] = line.split('\t');
  if (name !== keyName(key)) return null;
  if (!verify(null, Buffer.from(text), key.publicKey, Buffer.from(signature, 'base64'))) return null;
  return JSON.parse(text) as Checkpoint;
}

function keyName({ publicKey }: SigningKey): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
}

/** Adds a line to the file outside the database, durable before it returns. */
export async function appendCheckpoint(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await using handle = await open(file, 'a+', 0o600);
  await removeUnfinished(handle);
  await handle.appendFile(`${line}\n`);
  await handle.sync();
}

/** What a crash or a full disk left of a line is no checkpoint, and would spoil the next one. */
async function removeUnfinished(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  const block = Buffer.alloc(BLOCK);
  for (let end = size; ; end -= BLOCK) {
    const start = Math.max(0, end - BLOCK);
    const { bytesRead } = await handle.read(block, 0, end - start, start);
    const kept = start + block.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    if (kept === start && start > 0) continue;
    if (kept < size) await handle.truncate(kept);
    return;
  }
}
