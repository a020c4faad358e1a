import { existsSync, type Stats } from 'node:fs';
import { readFile, realpath, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Check, failed, ok, type Verdict, warning } from './check.ts';
import { isOpenToOthers } from './open-to-others.ts';

const MB = 2 ** 20;
const FEWEST_INODES = 0.05;
/** File systems of which a lock or a flush may mean less than PostgreSQL takes it to mean. */
const REMOTE = /^(nfs4?|cifs|smb3?|smbfs|fuse\.sshfs|9p|glusterfs|ceph|davfs)$/;

/** Whether the data folder has room, is on a disk of this machine and is nobody else's. */
export const disk: Check = {
  name: 'disk',
  needs: 'nothing',
  async look({ config: { dataDir, limits } }) {
    if (!existsSync(dataDir)) return [warning(`${dataDir} is not there yet`, 'it is made by the first start')];
    const { bavail, bsize, files, ffree } = await statfs(dataDir);
    return [
      judgeRoom(bavail * bsize, limits.freeDiskBytes),
      judgeInodes(files, ffree),
      judgeFileSystem(await fileSystemOf(dataDir)),
      judgeMode(await stat(dataDir), dataDir),
    ];
  },
};

function judgeRoom(free: number, least: number): Verdict {
  const found = `${Math.round(free / MB)} MB free; writes are refused below ${Math.round(least / MB)} MB`;
  if (free < least) return failed(found, 'make room, or lower free-disk in CAREPOST_LIMITS');
  return free < 2 * least ? warning(found, 'make room soon') : ok(found);
}

/** Some file systems have no fixed number of files, and say 0. */
export function judgeInodes(files: number, free: number): Verdict {
  if (files === 0 || free >= files * FEWEST_INODES) return ok('there is room for more files');
  return failed(`${free} of ${files} inodes are left`, 'delete small files, or make a file system with more inodes');
}

export function judgeFileSystem(kind: string | null): Verdict {
  if (kind === null) return ok('the kind of file system cannot be told');
  if (!REMOTE.test(kind)) return ok(`the data folder is on ${kind}`);
  return failed(`the data folder is on ${kind}, which comes over the network`, 'move it to a disk of this machine');
}

function judgeMode(stats: Stats, dataDir: string): Verdict {
  if (!isOpenToOthers(stats)) return ok('nobody else can look into the data folder');
  return failed('others on this machine can look into the data folder', `chmod 700 ${dataDir}`);
}

/** The kind of the file system under a folder, by the longest mount point above it. */
async function fileSystemOf(folder: string): Promise<string | null> {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => null);
  if (mounts === null) return null;
  const kinds = new Map(mounts.split('\n').map((line) => line.split(' ').slice(1, 3) as [string, string]));
  for (let path = await realpath(folder); ; path = dirname(path)) {
    const kind = kinds.get(path);
    if (kind !== undefined) return kind;
    if (path === dirname(path)) return null;
  }
}
