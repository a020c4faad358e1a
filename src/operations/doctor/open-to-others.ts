import type { Stats } from 'node:fs';

/** Whether somebody else on this machine may look into a file or folder. A group that the process is in is its own. */
export function isOpenToOthers({ mode, gid }: Stats): boolean {
  const own = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  return (mode & (own.includes(gid) ? 0o007 : 0o077)) !== 0;
}
