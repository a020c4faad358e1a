// Stands in for fast-check under `proofs/many-inputs.ts`: a property is tried for so long, not so often, and its inputs are counted.
import { appendFileSync } from 'node:fs';
import * as fc from 'fast-check';

export * from 'fast-check';

const { INPUTS_FILE = '', SECONDS } = process.env;

export function assert<T>(property: fc.IRawProperty<T>, parameters: fc.Parameters<T> = {}): Promise<void> | void {
  const ended = fc.check(property, {
    ...parameters,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: Number(SECONDS) * 1000,
    markInterruptAsFailure: false,
  });
  return ended instanceof Promise ? ended.then(conclude) : conclude(ended);
}

function conclude<T>(details: fc.RunDetails<T>): void {
  appendFileSync(INPUTS_FILE, `${details.numRuns}\n`);
  if (details.failed) throw new Error(fc.defaultReportMessage(details));
}
