import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncFolderNow } from '../durable-files.ts';

const KEY_BYTES = 32;

export interface MasterKey {
  /** Names the key without telling anything of it. */
  id: string;
  wrapping: KeyObject;
}

/** The master key file and, after a rotation, the key before it (`.previous`). */
export interface MasterKeys {
  /** The key in force, read from its file each time: a rotation may have replaced it. */
  current(): MasterKey;
  /** Any key at hand by its id; files are read again where the id is not known yet. */
  byId(id: string): MasterKey | null;
}

/** Makes a key file that only its owner can read, durable before it returns. Never overwrites one. */
export function createMasterKeyFile(file: string, sync = syncFolderNow): void {
  const unfinished = `${file}.new`;
  const handle = openSync(unfinished, 'w', 0o600);
  writeSync(handle, randomBytes(KEY_BYTES));
  fsyncSync(handle);
  closeSync(handle);
  chmodSync(unfinished, 0o400);
  if (existsSync(file)) throw new Error(`${file} exists already`);
  renameSync(unfinished, file);
  sync(dirname(file));
}

/** Opens the master key file. */
export function openMasterKeys(file: string): MasterKeys {
  let current = readKey(file);
  const known = new Map([[current.id, current]]);
  const reload = () => {
    current = readKey(file);
    if (existsSync(`${file}.previous`)) {
      const previous = readKey(`${file}.previous`);
      known.set(previous.id, previous);
    }
    known.set(current.id, current);
  };
  reload();
  return {
    current() {
      reload();
      return current;
    },
    byId(id) {
      if (!known.has(id)) reload();
      return known.get(id) ?? null;
    },
  };
}

/** Puts `<file>.next` in force and keeps the key before it as `<file>.previous`; at every moment there is a key in force. */
export function promoteNextKey(file: string, sync = syncFolderNow): void {
  rmSync(`${file}.kept`, { force: true });
  linkSync(file, `${file}.kept`);
  renameSync(`${file}.kept`, `${file}.previous`);
  sync(dirname(file)); // the key before it must be there whenever the next one is
  renameSync(`${file}.next`, file);
  sync(dirname(file));
}

function readKey(file: string): MasterKey {
  const bytes = readFileSync(file);
  if (bytes.length !== KEY_BYTES) throw new Error(`CAREPOST_MASTER_KEY_FILE takes a file of ${KEY_BYTES} bytes`);
  const wrapping = Buffer.from(hkdfSync('sha512', bytes, '', 'carepost wrap', KEY_BYTES));
  const id = createHash('sha256').update('carepost master key id').update(bytes).digest('hex').slice(0, 16);
  return { id, wrapping: createSecretKey(wrapping) };
}
