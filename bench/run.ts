// `npm run bench [NAME…]`: one file per claim, each with its baseline or peer in the same run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const CLAIMS = ['accept-messages'];
const wanted = process.argv.slice(2);

for (const claim of wanted.length > 0 ? wanted : CLAIMS) {
  process.stdout.write(`\n${claim}\n\n`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${claim}.ts`)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
