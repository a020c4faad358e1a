#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// Message bodies live outside the heap. Counted apart from it, they set off a full collection several times a second
// under load, at a quarter of the CPU (docs/measurements.md).
setFlagsFromString('--external-memory-accounted-in-global-limit');

// Small buffers are cut from shared pieces, and one that is kept keeps its piece. With node's 64 KB the pieces around messages
// on their way set off collections of the whole heap (docs/measurements.md).
Buffer.poolSize = 16 * 1024;

// Halves the time of every start but the first; it has to be on before the rest is loaded.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'carepost'));
const { runCommand } = await import('./cli/run.ts');
const { explain } = await import('./cli/explain.ts');
const { exitCodeOf } = await import('./cli/exit-code.ts');

// Whoever reads may have had enough, as head has: that is no fault of the code to be traced.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.stderr.write(`carepost: ${explain(error)}\n`);
  process.exit(1);
});

try {
  process.exitCode = await runCommand(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`carepost: ${explain(error)}\n`);
  process.exit(exitCodeOf(error)); // whatever was opened before it failed would keep the process
}
