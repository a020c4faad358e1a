import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCommandLine } from '../support/command-line.ts';

test('a file is imported, shown and taken back by command, without a server', async (t) => {
  const { folder, json, text, run } = await openCommandLine(t);
  const { id: customer } = await json('customer', 'create', '--name', 'Clinic', '--username', 'clinic');
  const of = ['--customer', String(customer)];
  const file = join(folder, 'people.csv');
  writeFileSync(file, 'Kontakt,first_name\na@example.com,Ann\nb@example.com,Bob\nnobody,\n');
  const mapping = ['--mapping', '{"Kontakt":"email"}'];
  const dry = await json('import', 'run', ...of, '--file', file, '--dry-run', ...mapping);
  assert.deepEqual([dry.state, dry.dry_run, dry.created, dry.skipped], ['done', true, 2, 1]);
  const made = await json('import', 'run', ...of, '--file', file, ...mapping);
  assert.deepEqual([made.state, made.dry_run, made.created, made.skipped], ['done', false, 2, 1]);
  const again = await text('import', 'run', ...of, '--file', file, ...mapping);
  assert.match(again, /^Import [0-9a-f-]{36}: done, 0 created, 0 updated, 2 unchanged, 1 skipped, 0 opted out\n$/);
  assert.deepEqual(await json('import', 'show', String(made.id), ...of), made);
  const undone = await text('import', 'undo', String(made.id), ...of);
  assert.match(undone, /: undone, .*; 2 removed, 0 restored, 0 kept\n$/);
  for (const [endsWith, args, problem] of [
    [2, ['import', 'run', ...of], '--file is required'],
    [1, ['import', 'run', ...of, '--file', file, '--list', '999'], 'subscription_list_id: no such list'],
    [2, ['import', 'run', ...of, '--file', file, '--mapping', 'x'], 'mapping: takes a JSON object of names or null'],
    [2, ['import', 'show', ...of], 'import show takes one ID'],
    [1, ['import', 'undo', String(made.id), ...of], 'Only an import that has ended can be undone, and only once'],
  ] as const) {
    const { code, err } = await run([...args]);
    assert.deepEqual({ code, err }, { code: endsWith, err: `carepost: ${problem}\n` });
  }
  const failed = await run(['import', 'run', ...of, '--file', file, '--mapping', '{"Nope":"email"}']);
  assert.equal(failed.code, 1);
  assert.match(failed.out, /failed, mapping names a column that the file does not have\n$/);
});
