import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  const { data } = await line.json('hold', 'list', ...ELM);
  assert.deepEqual(
    (data as Record<string, unknown>[]).map(({ released_at, release_reason }) => [released_at, release_reason]),
    [[null, null]],
  );
  await line.json('hold', 'release', String(id), ...ELM, '--reason', 'Settled');

  await line.json('retention', 'override', ...ELM, '--audit-years', '2', '--reason', 'Asked for by counsel');
  const shown = await line.json('retention', 'show', ...ELM);
  assert.deepEqual([shown.audit_years, shown.marketing_days, shown.mailing_days], [2, 2_192, 2_192]);

  const folder = join(line.folder, 'export');
  const { rows } = await line.json('customer', 'export', ...ELM, '--to', folder);
  assert.ok(Number(rows) > 5 && existsSync(join(folder, 'README.html')));

  assert.match(await refusal('customer', 'destroy', ...ELM, '--confirm', 'oak'), /--confirm takes the username/);
  const file = join(line.folder, 'proof.json');
  const closed = await line.json('customer', 'destroy', ...ELM, '--confirm', 'elm', '--certificate', file);
  assert.equal(closed.destroyed, false);
  assert.equal(existsSync(file), false);
  writeFileSync(file, 'of somebody else');
  const inTheWay = /--certificate takes a file that is not there yet/;
  assert.match(await refusal(...destroying, '--certificate', file), inTheWay);
  assert.equal(readFileSync(file, 'utf8'), 'of somebody else');
  assert.match(await line.text('hold', 'list', ...ELM), /released/, 'and nothing was destroyed');
  rmSync(file);
  const destroyed = await line.text(...destroying, '--certificate', file);
  assert.match(destroyed, /^Destroyed: rows and files \d+\. Certificate [0-9a-f-]{36}; it is in \S+proof\.json\.\n$/);
  assert.match(await line.text('destruction', 'verify', file), /^GENUINE: customer 1 \(elm\)/);
  assert.deepEqual((await line.json('audit', 'verify')).faults, []);
});
