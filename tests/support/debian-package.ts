import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');
/** Fits the dynamic linker of the machine and nothing else. */
const LEFT_OUT = /^libc6_/;

/** Where the programs of a Debian package are. */
export interface Binaries {
  /** What their usual paths begin with; empty where the package is installed. */
  root: string;
  /** Where they find their libraries besides the usual places, as LD_LIBRARY_PATH has it. */
  libraries: string;
}

/**
 * A Debian package as it is installed, or else as apt-get downloads it, unpacked into a cache and not installed: no
 * service is started and no user made. Says what is wrong where neither is possible.
 */
export function findDebianPackage(name: string, program: string, libraries: string[] = []): Binaries {
  if (existsSync(`/${program}`)) return { root: '', libraries: '' };
  const tree = join(CACHE, `carepost-${name}`, 'tree');
  if (!existsSync(join(tree, program))) unpackInto(tree, name);
  const folders = globSync([...libraries, 'usr/lib/*-linux-gnu*', 'lib/*-linux-gnu*'], { cwd: tree });
  return { root: tree, libraries: folders.map((folder) => join(tree, folder)).join(':') };
}

function unpackInto(tree: string, name: string): void {
  const cache = join(tree, '..');
  // Of its own for each process: two of them may find the package missing at the same time.
  const archives = join(cache, `archives.${process.pid}`);
  const lists = join(cache, `lists.${process.pid}`);
  for (const folder of [archives, lists]) mkdirSync(join(folder, 'partial'), { recursive: true });
  const options = [`Dir::Cache=${cache}`, `Dir::Cache::archives=${archives}/`, 'Debug::NoLocking=1'];
  const ownLists = [...options, `Dir::State::lists=${lists}/`];
  const download = ['install', '--download-only', '--yes', '--no-install-recommends', name];
  // A fresh machine has no lists of packages; ours are kept apart from those of the system.
  if (!aptGet(download, options).ok) {
    aptGet(['update'], ownLists);
    const { ok, said } = aptGet(download, ownLists);
    if (!ok)
      throw new Error(`${name} is neither installed nor to be had by apt-get (apt-get install ${name}): ${said}`);
  }
  const unfinished = `${tree}.${process.pid}`;
  for (const archive of globSync('*.deb', { cwd: archives }).filter((file) => !LEFT_OUT.test(file))) {
    const { status, stderr } = spawnSync('/usr/bin/dpkg', ['-x', join(archives, archive), unfinished], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${archive} cannot be unpacked: ${stderr}`);
  }
  if (existsSync(tree)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, tree);
  for (const folder of [archives, lists]) rmSync(folder, { recursive: true });
}

function aptGet(command: string[], options: string[]): { ok: boolean; said: string } {
  const args = [...options.flatMap((option) => ['-o', option]), ...command];
  const { status, stderr, error } = spawnSync('/usr/bin/apt-get', args, {
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return { ok: status === 0, said: error?.message ?? stderr.trim() };
}
