import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Batch, Submitted } from './submit-driver.ts';

const LONGEST_MS = 300_000;

/** Hands a batch of messages in, from a process of its own. */
export function submit(batch: Batch): Promise<Submitted> {
  const driver = spawn(process.execPath, [join(import.meta.dirname, 'submit-driver.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: LONGEST_MS,
  });
  let output = '';
  driver.stdout.on('data', (chunk) => (output += chunk));
  driver.stdin.end(JSON.stringify(batch));
  return new Promise((resolve, reject) =>
    driver.once('close', (code) => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error('the driver failed')))),
  );
}
