import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { type Check, ok, type Verdict, warning } from './check.ts';

const FEWEST_FILES = 8_192;
const LEAST_MEMORY = 2 * 2 ** 30;

/** Whether the process may open files and connections enough, and has the memory it needs. */
export const machine: Check = {
  name: 'machine',
  needs: 'nothing',
  async look() {
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
    return [judgeOpenFiles(limits), judgeMemory(process.constrainedMemory() || totalmem())];
  },
};

export function judgeOpenFiles(limits: string): Verdict {
  const most = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  if (most === undefined || most === 'unlimited' || Number(most) >= FEWEST_FILES)
    return ok(`${most ?? 'an unknown number of'} files may be open at once`);
  return warning(`only ${most} files may be open at once`, `set LimitNOFILE=65536 in the unit, or ulimit -n 65536`);
}

export function judgeMemory(bytes: number): Verdict {
  const known = Math.min(bytes, totalmem());
  const found = `${(known / 2 ** 30).toFixed(1)} GB of memory`;
  return known >= LEAST_MEMORY ? ok(found) : warning(found, 'give it 2 GB or more: files and mail are held in memory');
}
