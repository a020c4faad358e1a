import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { type BackupReport, runBackup, takeTurns } from '../../operations/backup/index.ts';
import { type Command, type Invocation, type Output, required, UsageError, withInstallation } from '../command.ts';
import { explain } from '../explain.ts';

export const backup: Command = {
  name: 'backup',
  usage: '--to DIR --keys-to DIR [--full] [--every 3m] [--replication-url URL]',
  about: 'back up database and files, beside a running server; what opens it goes to another folder',
  options: {
    to: { type: 'string' },
    'keys-to': { type: 'string' },
    full: { type: 'boolean' },
    every: { type: 'string' },
    'replication-url': { type: 'string' },
  },
  async run(invocation) {
    const { options, flags, config } = invocation;
    const folders = readFolders(invocation);
    const replicateFrom = readServer(options['replication-url']);
    const everyMs = options.every === undefined ? undefined : readInterval(options.every);
    const once = async (full: boolean) =>
      describe(
        await withInstallation(config, (installation) => {
          const replicationUrl = replicateFrom ?? installation.ownerUrl;
          return runBackup(installation, { ...folders, replicationUrl }, { full, everyMs });
        }),
      );
    const isFull = flags.has('full');
    return everyMs === undefined ? once(isFull) : repeat(everyMs, { json: flags.has('json'), isFull }, once);
  },
};

function readFolders(invocation: Invocation): { to: string; keysTo: string } {
  const to = resolve(required(invocation, 'to'));
  const keysTo = resolve(required(invocation, 'keys-to'));
  if (isInside(to, keysTo) || isInside(keysTo, to)) {
    throw new UsageError('--keys-to takes a folder apart from --to: together they open the backup');
  }
  const { dataDir, masterKeyFile, keyStoreFolder }: Config = invocation.config;
  for (const [name, folder] of Object.entries({ to, 'keys-to': keysTo })) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new UsageError(`--${name} takes a folder`);
    if (isInside(resolve(dataDir), folder)) throw new UsageError(`--${name} takes a folder outside CAREPOST_DATA_DIR`);
    if (isInside(folder, resolve(masterKeyFile))) {
      throw new UsageError(`--${name} takes a folder without CAREPOST_MASTER_KEY_FILE in it`);
    }
    if (keyStoreFolder !== null && (isInside(folder, keyStoreFolder) || isInside(keyStoreFolder, folder))) {
      throw new UsageError(`--${name} takes a folder apart from CAREPOST_KEY_STORE`);
    }
  }
  return { to, keysTo };
}

function readServer(text: string | undefined): string | undefined {
  if (text !== undefined && !/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new UsageError('--replication-url takes an address such as postgres://replicator@host/');
  return text;
}

function isInside(folder: string, path: string): boolean {
  return !relative(folder, path).startsWith('..');
}

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 };

function readInterval(text: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? [];
  if (number === undefined) throw new UsageError('--every takes a time such as 30s, 3m or 1h');
  return Number(number) * (UNITS_MS[unit] ?? 0);
}

function describe({ manifest, bytes, pruned, reason, notes }: BackupReport): Output {
  const { chain, number, kind, restorable_until, wal, blobs } = manifest;
  const why = reason === null ? '' : ` (${reason})`;
  const removed = pruned.length === 0 ? '' : ` ${pruned.length} older removed.`;
  const done = `${kind === 'full' ? 'Full' : 'Incremental'} backup ${chain}/${number}${why}: ${bytes} bytes, restorable until ${restorable_until}.${removed}`;
  return {
    json: {
      backup: chain,
      number,
      kind,
      reason,
      restorable_until,
      lsn: wal.to,
      bytes,
      new_files: blobs.files,
      removed: pruned,
      notes,
    },
    text: [done, ...notes.map((note) => `Note: ${note}`)].join('\n'),
  };
}

/** Goes on until the process is ended. One that fails after the first is told and tried again at the next turn. */
async function repeat(
  everyMs: number,
  { json, isFull }: { json: boolean; isFull: boolean },
  takeOne: (full: boolean) => Promise<Output>,
): Promise<null> {
  const stopped = new AbortController();
  let isTaking = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // What is cut off is cleared away by the next one; a full backup would outlast every grace.
    process.once(signal, () => (isTaking ? process.exit(1) : stopped.abort()));
  }
  const take = async (full: boolean) => {
    isTaking = true;
    const output = await takeOne(full).finally(() => {
      isTaking = false;
    });
    process.stdout.write(`${json ? JSON.stringify(output.json) : output.text}\n`);
  };
  await take(isFull);
  await takeTurns(everyMs, stopped.signal, async () => {
    try {
      await take(false);
    } catch (error) {
      process.stderr.write(`carepost: ${explain(error)}\n`);
    }
    return true;
  });
  return null;
}
