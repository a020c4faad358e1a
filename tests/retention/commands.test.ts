import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { type CommandLine, openCommandLine } from '../support/command-line.ts';

let line: CommandLine;
before(async (t) => {
  line = await openCommandLine(t as TestContext);
  await line.json('customer', 'create', '--name', 'Elm Clinic', '--username', 'elm');
});

const ELM = ['--customer', '1'];

async function refusal(...args: string[]): Promise<string> {
  const { code, err } = await line.run(args);
  assert.notEqual(code, 0, args.join(' '));
  assert.equal(err.trim().split('\n').length, 1, err);
  return err;
}

test('the operator holds, exports and destroys a customer, and shows the proof', async () => {
  assert.match(await refusal('hold', 'set', ...ELM, '--reason', 'x'), /one of --all/);
  const { id } = await line.json('hold', 'set', ...ELM, '--email', 'ann@example.com', '--reason', 'A claim');
  assert.match(await line.text('hold', 'list', ...ELM), /person\tann@example\.com\tstands\tA claim/);
  const destroying = ['customer', 'destroy', ...ELM, '--confirm', 'elm', '--now', '--reason', 'Asked for'];
  assert.match(await refusal(...destroying), /legal hold/);
  await line.json('hold', 'release', String(id), ...ELM, '--reason', 'Settled');

  await line.json('retention', 'override', ...ELM, '--audit-years', '2', '--reason', 'Asked for by counsel');
  assert.equal((await line.json('retention', 'show', ...ELM)).audit_years, 2);

  const folder = join(line.folder, 'export');
  const { rows } = await line.json('customer', 'export', ...ELM, '--to', folder);
  assert.ok(Number(rows) > 5 && existsSync(join(folder, 'README.html')));

  assert.match(await refusal('customer', 'destroy', ...ELM, '--confirm', 'oak'), /--confirm takes the username/);
  const closed = await line.json('customer', 'destroy', ...ELM, '--confirm', 'elm');
  assert.equal(closed.destroyed, false);
  const file = join(line.folder, 'proof.json');
  assert.match(await line.text(...destroying, '--certificate', file), /^Destroyed: rows and files \d+/);
  assert.match(await line.text('destruction', 'verify', file), /^GENUINE: customer 1 \(elm\)/);
  assert.deepEqual((await line.json('audit', 'verify')).faults, []);
});
