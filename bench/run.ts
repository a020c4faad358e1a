// `npm run bench [NAME…] [-- OPTION…]`: one file per claim, each with its baseline or peer in the same run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const CLAIMS = [
  'accept-messages',
  'bulk-messages',
  'smtp-accept',
  'deliver-mail',
  'fair-delivery',
  'fair-requests',
  'claim-due',
  'open-loop',
  'submit-forms',
  'large-submissions',
  'list-forms',
  'form-page',
  'export-submissions',
  'seal-certificates',
  'import-subscribers',
  'segments',
  'send-mailing',
  'advance-drips',
  'list-drips',
  'scale',
  'soak',
];
const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('-'));
const wanted = firstOption === -1 ? args : args.slice(0, firstOption);
const options = firstOption === -1 ? [] : args.slice(firstOption);

for (const claim of wanted.length > 0 ? wanted : CLAIMS) {
  process.stdout.write(`\n${claim}\n\n`);
  const script = join(import.meta.dirname, `${claim}.ts`);
  const { status } = spawnSync(process.execPath, [script, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
