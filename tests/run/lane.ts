// A process that runs test files one after the other, each as if it were by itself: with hooks of its own, and ended
// when nothing of it is left. Loading the product takes longer than most tests, so it is loaded once for many files.
import '../support/seed.ts';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import type { FileResult, LaneAnswer } from './file-result.ts';

/** What a stream says at its end of all its files, of which there is one. */
const SUMMARY = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

/** So long no file takes by itself. */
const LATE_MS = 4 * 60_000;

async function runFile(file: string): Promise<FileResult> {
  const result: FileResult = { passed: [], failed: 0, ms: 0, report: '' };
  const began = performance.now();
  const late = setTimeout(() => tellWhatKeeps(file), LATE_MS).unref();
  const stream = run({ files: [resolve(file)], isolation: 'none', concurrency: 1 });
  stream.on('test:pass', ({ name, skip, todo, details }) => {
    if (details.type === 'suite') return;
    if (skip === undefined && todo === undefined) result.passed.push(name);
    else result.failed += 1;
  });
  stream.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') result.failed += 1;
  });
  result.report = await text(stream.filter((event) => !isSummary(event)).compose(new spec()));
  clearTimeout(late);
  // What failed after its test had ended is told by the exit code alone.
  if (process.exitCode !== undefined && result.failed === 0) result.failed = 1;
  process.exitCode = undefined;
  return { ...result, ms: performance.now() - began };
}

/** Before it is taken for one that hangs, so that somebody finds out why. */
function tellWhatKeeps(file: string): void {
  process.stderr.write(`${file} is kept by ${process.getActiveResourcesInfo().join(', ')}\n`);
}

function isSummary({ type, data }: { type: string; data: { message?: string } }): boolean {
  return type === 'test:summary' || (type === 'test:diagnostic' && SUMMARY.test(data.message ?? ''));
}

async function answer(file: string): Promise<void> {
  // A file has ended when nothing keeps the process, so the way to the next one must not keep it either.
  process.channel?.unref();
  const result: LaneAnswer = { ...(await runFile(file)), memory: process.memoryUsage.rss() };
  process.channel?.ref();
  process.send?.(result);
}

process.on('message', (file: string) => void answer(file));

// Also in the middle of a file, whose run has been called off.
process.on('disconnect', () => process.exit());
