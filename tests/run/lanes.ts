import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FileResult, LaneAnswer } from './file-result.ts';

const LANE = join(import.meta.dirname, 'lane.ts');
/** What files leave behind adds up; beyond this a lane begins anew. */
const MOST_MEMORY = 1.5e9;
/** A file that takes longer hangs. */
const LONGEST_MS = 6 * 60_000;

/** They change what is one for the whole process, or measure it. */
const BY_THEMSELVES = new Set(['tests/blob/bounded-memory.test.ts', 'tests/db/embedded.test.ts']);

type OnResult = (file: string, result: FileResult) => void;

/** Runs files in so many processes, each of which takes the next one that waits, and tells what came of each. */
export async function runInLanes(files: string[], count: number, onResult: OnResult): Promise<void> {
  const waiting = [...files];
  await Promise.all(Array.from({ length: count }, () => runLane(waiting, onResult)));
}

async function runLane(waiting: string[], onResult: OnResult): Promise<void> {
  let lane: ChildProcess | null = null;
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const isAlone = BY_THEMSELVES.has(file);
    if (isAlone) lane = leave(lane);
    lane ??= fork(LANE);
    const { memory, ...result } = await runFile(lane, file);
    onResult(file, result);
    if (isAlone || memory > MOST_MEMORY) lane = leave(lane);
  }
  leave(lane);
}

/** A lane that nobody listens to ends. */
function leave(lane: ChildProcess | null): null {
  if (lane?.connected === true) lane.disconnect();
  return null;
}

/** One that ends or hangs in the middle of a file does so by the fault of that file, and runs no other. */
async function runFile(lane: ChildProcess, file: string): Promise<LaneAnswer> {
  const began = performance.now();
  const hanging = setTimeout(() => lane.kill('SIGKILL'), LONGEST_MS);
  const over = new AbortController();
  const { signal } = over;
  try {
    const answered = once(lane, 'message', { signal }).then(([answer]) => answer as LaneAnswer);
    const ended = once(lane, 'exit', { signal }).then(([code, by]) => {
      const report = `✖ its process ended (${by ?? code}) before its tests did\n`;
      return { passed: [], failed: 1, ms: performance.now() - began, report, memory: Number.POSITIVE_INFINITY };
    });
    for (const each of [answered, ended]) each.catch(() => undefined); // whichever comes second is called off
    lane.send(file);
    return await Promise.race([answered, ended]);
  } finally {
    clearTimeout(hanging);
    over.abort();
  }
}
