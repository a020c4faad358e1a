import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { type Ended, MAIN, openCommandLine, runHere, runProcess } from '../support/command-line.ts';
import { createHome, startServer } from '../support/server.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('a command that is told of no installation is refused, and makes none', async (t) => {
  const { env, run } = await openCommandLine(t);
  for (const command of [
    ['customer', 'list'],
    ['migrate', '--check'],
    ['database', 'move', '--to', 'postgres://carepost:secret@127.0.0.1:9/carepost'],
    ['database', 'upgrade'],
    ['blobs', 'move', '--to', 's3://files'],
  ]) {
    const { code, err } = await run(command, { CAREPOST_DATABASE_URL: '' });
    assert.deepEqual(
      [code, err],
      [
        1,
        `carepost: there is no installation in ${env.CAREPOST_DATA_DIR}: set CAREPOST_DATA_DIR or CAREPOST_DATABASE_URL to where it is, or start the server\n`,
      ],
    );
    assert.equal(existsSync(String(env.CAREPOST_DATA_DIR)), false, command.join(' '));
  }
});

test('help lists every command, and an unknown one is refused in one line', async () => {
  const [help, bare, unknown, half] = await Promise.all([
    runProcess(['help'], {}),
    runHere([], {}),
    runProcess(['customer', 'remove'], {}),
    runHere(['vault', '--json'], {}),
  ]);
  assert.deepEqual([help.code, help.err, bare], [0, '', help]);
  const listed = help.out
    .split('\n')
    .flatMap((line) => /^ {2}carepost ([a-z-]+(?: [a-z][a-z-]*)?)/.exec(line)?.[1] ?? []);
  assert.deepEqual(listed, [
    'serve',
    'customer create',
    'customer list',
    'customer export',
    'customer destroy',
    'user create',
    'user link',
    'user end',
    'user reset-factors',
    'key create',
    'key list',
    'key revoke',
    'agreement record',
    'agreement end',
    'domain add',
    'domain check',
    'domain list',
    'domain rotate',
    'drip list',
    'drip simulate',
    'form create',
    'form receipt',
    'person export',
    'destruction verify',
    'hold set',
    'hold list',
    'hold release',
    'retention show',
    'retention override',
    'import run',
    'import show',
    'import undo',
    'route explain',
    'template create',
    'template list',
    'tls-report list',
    'webhook create',
    'webhook list',
    'webhook rotate',
    'migrate',
    'database move',
    'database upgrade',
    'blobs move',
    'doctor',
    'openapi',
    'audit verify',
    'audit restored',
    'audit who-read',
    'break-glass codes',
    'break-glass list',
    'break-glass end',
    'incident open',
    'incident list',
    'incident export',
    'evidence export',
    'evidence verify',
    'evidence key',
    'evidence verify-pack',
    'evidence',
    'verify',
    'certificate key',
    'sealed keygen',
    'sealed open',
    'sealed export',
    'vault rotate',
    'vault destroy',
    'backup',
    'restore',
    'version',
  ]);
  for (const refused of [unknown, half]) {
    assert.equal(refused.code, 2);
    assert.equal(refused.err, 'carepost: no such command: carepost help lists them\n');
  }
});

async function shown(...args: string[]): Promise<string[] | null> {
  const { code, out, err } = await runHere(args, {});
  assert.deepEqual([code, err], [0, ''], args.join(' '));
  return out.match(/(?<=^ {2}carepost )[a-z-]+(?: [a-z][a-z-]*)?/gm);
}

async function refusal(...args: string[]): Promise<string> {
  const { code, err } = await runHere(args, {});
  assert.equal(code, 2);
  return err;
}

test('--help behind a command shows how that is called, behind the beginning of some all of them', async () => {
  assert.deepEqual(await shown('key', 'create', '--help'), ['key create']);
  assert.deepEqual(await shown('key', 'create', '--customer', '1', '--help'), ['key create']);
  assert.deepEqual(await shown('key', 'revoke', 'ID', '--help'), ['key revoke']);
  assert.deepEqual(await shown('key', '--help'), ['key create', 'key list', 'key revoke']);
  assert.deepEqual(await shown('help', 'key'), ['key create', 'key list', 'key revoke']);
  assert.deepEqual(await shown('help', 'key', 'create'), ['key create']);
  assert.deepEqual(await shown('serve', '--help'), ['serve']);
  assert.deepEqual(await shown('key', 'revoke', '-h'), ['key revoke']);
  assert.match((await runHere(['key', 'create', '--help'], {})).out, /--scopes/);
  for (const unknown of [
    ['kee', '--help'],
    ['help', 'kee'],
  ])
    assert.equal(await refusal(...unknown), 'carepost: no such command: carepost help lists them\n');
});

test('the version and the document of the API are printed without settings, database and network', async () => {
  const { version } = JSON.parse(readFileSync(join(MAIN, '..', '..', 'package.json'), 'utf8')) as { version: string };
  for (const asked of [['version'], ['--version']]) {
    assert.deepEqual(await runHere(asked, {}), { code: 0, out: `${version}\n`, err: '' });
    assert.deepEqual(await runHere([...asked, '--json'], {}), { code: 0, out: `{"version":"${version}"}\n`, err: '' });
  }
  const [words, json] = await Promise.all([runHere(['openapi'], {}), runHere(['openapi', '--json'], {})]);
  assert.deepEqual([words.code, words.err, json.code, json.err], [0, '', 0, '']);
  const document = JSON.parse(json.out) as { openapi: string; info: { version: string } };
  assert.deepEqual([document.openapi.slice(0, 2), document.info.version], ['3.', version]);
  assert.deepEqual(JSON.parse(words.out), document);
});

test('a list with nothing in it says so in a word, and is an empty one for programs', async (t) => {
  const { text, json } = await openCommandLine(t);
  await text('migrate');
  const customer = ['--customer', String((await json('customer', 'create', '--name', 'A', '--username', 'aa')).id)];
  const lists = [
    ['key', 'list', ...customer],
    ['domain', 'list', ...customer],
    ['drip', 'list', ...customer],
    ['hold', 'list', ...customer],
    ['template', 'list', ...customer],
    ['webhook', 'list', ...customer],
    ['incident', 'list', ...customer],
    ['incident', 'list'],
    ['break-glass', 'list'],
    ['tls-report', 'list'],
  ];
  for (const list of lists) {
    assert.equal(await text(...list), 'None\n', list.join(' '));
    assert.deepEqual(await json(...list), { data: [] }, list.join(' '));
  }
});

test('an option that is unknown or lacks its value is named in one line', async () => {
  const refusals: [string[], string][] = [
    [['--bogus'], 'no such option: --bogus'],
    [['--bogus=secret'], 'no such option: --bogus'],
    [['-x'], 'no such option: -x'],
    [['--customer'], '--customer takes a value'],
    [['--customer', '--json'], '--customer takes a value'],
    [['--json=1'], '--json takes no value'],
  ];
  for (const [args, said] of refusals) {
    const line = `carepost: ${said}: carepost key create --help lists the options\n`;
    assert.equal(await refusal('key', 'create', ...args), line);
  }
});

test('an option that is given twice is refused, whichever of its values was meant', async () => {
  const twice = 'carepost: --customer is given twice\n';
  assert.equal(await refusal('key', 'list', '--customer', '1', '--customer', '2'), twice);
  assert.equal(await refusal('key', 'list', '--customer=1', '--json', '--customer=1'), twice);
});

test('customers, users and keys are made and listed, in words and as JSON', async (t) => {
  const { text, json } = await openCommandLine(t);
  const id = Number((await json('customer', 'create', '--name', 'Clinic', '--username', 'clinic')).id);
  const customer = ['--customer', String(id)];
  const user = ['user', 'create', ...customer, '--email'];
  const [second, made, inWords, key, trial] = await Promise.all([
    text('customer', 'create', '--name', 'B', '--username', 'b2', '--no-baa'),
    json(...user, 'ann@example.org', '--role', 'owner'),
    text(...user, 'ben@example.org', '--role', 'reader'),
    json(
      'key',
      'create',
      ...customer,
      '--scopes',
      'email, forms',
      '--domains',
      'Elm.example, ,oak.example',
      '--expires',
      '2035-01-31',
    ),
    text('key', 'create', ...customer, '--scopes', 'marketing', '--test', '--name', 'trial'),
  ]);
  assert.equal(second, `Customer ${id + 1}\n`);
  assert.match(String(made.id), UUID);
  assert.match(String(made.setup_url), /^http:\/\/127\.0\.0\.1:8080\/app\/setup#[\w-]{43}$/);
  assert.match(inWords, /^User [0-9a-f-]{36}\nSetup link, works once within 7 days: http\S+\n$/);
  assert.match(String(key.key), /^cp_live_[0-9A-Za-z]{61}$/);
  assert.match(trial, /^Key [0-9a-f-]{36}\ncp_test_\w{61}\nIt is not shown again\.\n$/);

  assert.deepEqual(await json('key', 'revoke', String(key.id)), { id: key.id, revoked: true });
  const [trialId = ''] = /[0-9a-f-]{36}/.exec(trial) ?? [];
  const [customers, customerLines, keys, keyLines] = await Promise.all([
    json('customer', 'list'),
    text('customer', 'list'),
    json('key', 'list', ...customer),
    text('key', 'list', ...customer),
  ]);
  const listed = [
    { id, username: 'clinic' },
    { id: id + 1, username: 'b2' },
  ];
  assert.deepEqual(customers, { data: listed });
  assert.equal(customerLines, `${id}\tclinic\n${id + 1}\tb2\n`);
  const found = (keys.data as Record<string, unknown>[]).find((each) => each.id === key.id);
  assert.deepEqual(
    { ...found, created_at: null, revoked_at: typeof found?.revoked_at },
    {
      id: key.id,
      prefix: String(key.key).slice(0, 20),
      name: 'made on the command line',
      mode: 'live',
      scopes: ['email', 'forms'],
      sending_domains: ['elm.example', 'oak.example'],
      created_at: null,
      expires_at: '2035-01-31T00:00:00.000Z',
      last_used_at: null,
      revoked_at: 'string',
      created_by: null,
    },
  );
  assert.match(keyLines, /\tmarketing\tin force\ttrial\tany domain\n/);
  assert.match(keyLines, /\temail,forms\trevoked\t.*\telm\.example,oak\.example\n/);
  assert.ok(!JSON.stringify([keys, keyLines]).includes(String(key.key)), 'a secret is shown once');
  assert.equal(await text('key', 'revoke', trialId), `Key ${trialId} is revoked.\n`);
});

test('agreements and forms are recorded, in words and as JSON', async (t) => {
  const { folder, text, json } = await openCommandLine(t);
  const { id } = await json('customer', 'create', '--name', 'Clinic', '--username', 'clinic');
  const customer = ['--customer', String(id)];
  const [pdf, definition] = [join(folder, 'agreement.pdf'), join(folder, 'form.json')];
  writeFileSync(pdf, '%PDF-1.7\n');
  writeFileSync(definition, '{"fields": []}');
  const record = ['agreement', 'record', ...customer, '--version', '2', '--signer', 'Ann', '--date', '2024-02-29'];
  const create = ['form', 'create', ...customer, '--title', 'Intake'];
  const [agreement, agreementLine, form, formLine] = await Promise.all([
    json(...record, '--ends', '2030-01-01', '--pdf', pdf),
    text(...record),
    json(...create, '--description', 'D', '--definition', definition, '--active'),
    text(...create),
  ]);
  assert.match(String(agreement.id), UUID);
  assert.match(agreementLine, /^Agreement [0-9a-f-]{36}\n$/);
  assert.match(String(form.id), UUID);
  assert.match(formLine, /^Form [0-9a-f-]{36}\n$/);
  assert.equal(await text('agreement', 'end', ...customer, '--date', '2029-01-01'), '3 ended.\n');
  assert.deepEqual(await json('agreement', 'end', ...customer, '--date', '2028-01-01'), { ended: 3 });
});

test('the database, keys and audit log are looked after, in words and as JSON', async (t) => {
  const { env, run, text, json } = await openCommandLine(t);
  assert.deepEqual(await json('migrate'), { migrated: true, applied: [] });
  const id = Number((await json('customer', 'create', '--name', 'Clinic', '--username', 'clinic')).id);

  const [healthy, migrated] = await Promise.all([text('doctor'), text('migrate')]);
  assert.ok(
    healthy.split('\n').every((line) => /^(ok {5,}|WARNING {2}backup|WARNING {2}time-service| {9}do: |$)/.test(line)),
    healthy,
  );
  assert.equal(migrated, 'The database is up to date.\n');

  await text('customer', 'create', '--name', 'B', '--username', 'b2', '--no-baa');
  const found = await run(['doctor', '--json']);
  assert.deepEqual([found.code, found.err], [1, '']);
  const { findings } = JSON.parse(found.out) as { findings: { check: string; state: string }[] };
  const agreement = {
    check: 'agreements',
    state: 'failed',
    found: 'none in force for b2',
    todo: 'carepost agreement record',
  };
  assert.deepEqual(
    findings.filter(({ state }) => state === 'failed'),
    [agreement],
  );
  const only = await run(['doctor', '--only', 'agreements,clock', '--json']);
  const checks = (JSON.parse(only.out) as { findings: { check: string }[] }).findings.map(({ check }) => check);
  assert.deepEqual(checks, ['database', 'clock', 'agreements']);

  assert.equal(
    await text('vault', 'rotate', '--customer', String(id)),
    '1 rotated; what is stored is sealed anew in the background.\n',
  );
  assert.deepEqual(await json('vault', 'rotate', '--all'), { rotated: [id, id + 1] });
  const beside = (words: string) => withConnection(String(env.CAREPOST_DATABASE_URL), (client) => client.query(words));
  await beside(
    `insert into nodes (id, host, roles, version, started_at, seen_at)
     values (gen_random_uuid(), 'other.example', '{http}', '0.1.0', now(), now()),
            (gen_random_uuid(), 'gone.example', '{http}', '0.1.0', now(), now() - interval '31 seconds')`,
  );
  const refused = await run(['vault', 'rotate', '--master']);
  assert.deepEqual(
    [refused.code, refused.err, existsSync(`${env.CAREPOST_DATA_DIR}.key.previous`)],
    [
      1,
      'carepost: nodes were heard of on other.example, which would go on with the key before: stop every node, rotate here, copy the new key to each, and start them\n',
      false,
    ],
  );
  await beside(`delete from nodes where host = 'other.example'`);
  const rotated = await json('vault', 'rotate', '--master');
  assert.match(String(rotated.master_key_id), /^[0-9a-f]{16}$/);
  assert.equal(rotated.customers, 3, 'both customers and the installation itself');
  assert.ok(existsSync(`${env.CAREPOST_DATA_DIR}.key.previous`));
  const tooEarly = await run(['vault', 'rotate', '--master']);
  assert.match(`${tooEarly.code} ${tooEarly.err}`, /^1 carepost: \S+\.previous is still there: put it to the backups/);
  const destroyed = await text('vault', 'destroy', '--customer', String(id), '--confirm', 'clinic');
  assert.match(destroyed, /^Keys destroyed\. Backups that hold them expire on \d{4}-\d{2}-\d{2}\.\n$/);
  const again = await json('vault', 'destroy', '--customer', String(id), '--confirm', 'clinic');
  assert.deepEqual(Object.keys(again), ['id', 'backups_expire_on']);

  const { rows, checkpoints, faults } = await json('audit', 'verify');
  assert.deepEqual(faults, []);
  assert.equal(
    await text('audit', 'verify'),
    `${String(rows)} rows and ${String(checkpoints)} checkpoints checked, 0 faults\n`,
  );
});

test('a mistake ends a command with one clear line', async (t) => {
  const { folder, env, run, json } = await openCommandLine(t);
  const id = String((await json('customer', 'create', '--name', 'Clinic', '--username', 'clinic')).id);
  const fileOf = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const own = ['--customer', id];
  const missing = join(folder, 'missing');
  const customer = ['customer', 'create', '--name'];
  const user = ['user', 'create', ...own, '--email'];
  const signed = ['agreement', 'record', ...own, '--version', '1', '--signer', 'Ann', '--date'];
  const form = ['form', 'create', ...own, '--title', 'T', '--definition'];
  const away = ['backup', '--to', join(folder, 'to'), '--keys-to', join(folder, 'keys')];
  const noForm = '--definition takes a file with a JSON object';
  const mistakes: [string[], string][] = [
    [['customer', 'create', '--username', 'x1'], '--name is required'],
    [[...customer, ' ', '--username', 'x1'], 'name: must not be empty'],
    [[...customer, 'N', '--username', 'A'], 'username: takes 2 to 63 of a-z, 0-9, - and _'],
    [[...customer, 'N', '--username', 'email'], 'username: is reserved'],
    [[...customer, 'N', '--username', 'clinic'], 'username: is taken'],
    [[...user, 'ann', '--role', 'owner'], 'email: takes an email address'],
    [[...user, 'a@b.c', '--role', 'king'], 'role: takes one of owner, admin, editor, reader'],
    [['key', 'create', '--customer', '999999', '--scopes', 'email'], 'No such customer'],
    [['key', 'create', '--customer', 'clinic', '--scopes', 'email'], '--customer takes the id of a customer'],
    [['key', 'create', '--customer', '0x1', '--scopes', 'email'], '--customer takes the id of a customer'],
    [['key', 'create', '--customer', '2147483648', '--scopes', 'email'], '--customer takes the id of a customer'],
    [
      [...user, 'a@b.c', '--role', 'operator'],
      '--customer goes with other roles: operators are of the whole installation',
    ],
    [['key', 'create', ...own, '--scopes', 'email,fax'], '--scopes takes some of forms,email,marketing'],
    [['key', 'create', ...own, '--scopes', 'email', '--domains', ','], '--domains takes domains such as example.org'],
    [['key', 'create', ...own, '--scopes', 'email', '--domains', 'a@elm.example'], '--domains: is not a domain name'],
    [['key', 'create', ...own, '--scopes', 'email', '--expires', 'soon'], '--expires takes a day such as 2027-01-31'],
    [
      ['key', 'create', ...own, '--scopes', 'email', '--expires', '2027-02-30'],
      '--expires takes a day such as 2027-01-31',
    ],
    [
      ['key', 'create', ...own, '--scopes', 'email', '--expires', '2020-01-01'],
      '--expires takes a day that is yet to begin',
    ],
    [['key', 'list', '--customer', '999999'], 'No such customer'],
    [['key', 'revoke'], 'key revoke takes one ID'],
    [['key', 'revoke', 'one', 'two'], 'key revoke takes one ID'],
    [['key', 'revoke', ''], 'key revoke takes one ID'],
    [['customer', 'list', 'clinic'], 'customer list takes options only: carepost help lists them'],
    [['evidence', 'exprot'], 'evidence takes options only: carepost help lists them'],
    [['domain', 'check', ...own, 'a.example', 'b.example'], 'domain check takes at most one DOMAIN'],
    [['verify', 'a.pdf', 'b.pdf'], 'verify takes one FILE'],
    [['key', 'revoke', 'mine'], 'No such key'],
    [['key', 'revoke', crypto.randomUUID()], 'No such key'],
    [[...signed, '2026-02-30'], 'date: takes YYYY-MM-DD'],
    [[...signed, '2026-02-28', '--ends', 'never'], 'ends: takes YYYY-MM-DD'],
    [[...signed, '2026-02-28', '--pdf', fileOf('a.txt', 'not a PDF')], 'pdf: takes a PDF'],
    [[...signed, '2026-02-28', '--ends', '2026-02-27'], 'ends: must not be before the day it was signed'],
    [[...signed, '2026-02-28', '--pdf', missing], '--pdf takes a file that can be read'],
    [[...signed, '2026-02-28', '--pdf', folder], '--pdf takes a file that can be read'],
    [['agreement', 'end', ...own, '--date', 'today'], 'date: takes YYYY-MM-DD'],
    [['agreement', 'end', '--customer', '999999', '--date', '2026-01-01'], 'No such customer'],
    [['form', 'create', ...own], '--title is required'],
    [[...form, fileOf('broken.json', '{\n  "fields": [\n    marker\n')], noForm],
    [[...form, fileOf('list.json', '[]')], noForm],
    [[...form, missing], '--definition takes a file that can be read'],
    [['template', 'create', ...own, '--name', 'n', '--file', missing], '--file takes a file that can be read'],
    [['drip', 'simulate', '1', ...own, '--file', missing], '--file takes a file that can be read'],
    [['incident', 'open', ...own, '--file', missing], '--file takes a file that can be read'],
    [['import', 'run', ...own, '--file', folder], '--file takes a file that can be read'],
    [['migrate', '--check', '--force'], 'migrate takes one of --check and --force'],
    [['backup', '--to', folder], '--keys-to is required'],
    [
      ['backup', '--to', folder, '--keys-to', join(folder, 'keys')],
      '--keys-to takes a folder apart from --to: together they open the backup',
    ],
    [
      ['backup', '--to', join(env.CAREPOST_DATA_DIR as string, 'b'), '--keys-to', join(folder, 'keys')],
      '--to takes a folder outside CAREPOST_DATA_DIR',
    ],
    [['backup', '--to', fileOf('file', ''), '--keys-to', join(folder, 'keys')], '--to takes a folder'],
    [[...away, '--every', '5'], '--every takes a time such as 30s, 3m or 1h'],
    [
      [...away, '--replication-url', 'db.example'],
      '--replication-url takes an address such as postgres://replicator@host/',
    ],
    [['restore', '--from', folder], '--keys is required'],
    [
      ['restore', '--from', folder, '--keys', folder, '--at', '10:30'],
      '--at takes a time such as 2027-01-31T10:30:00Z',
    ],
    [['restore', '--verify', '--from', folder, '--keys', folder], `there is no finished backup in ${folder}`],
    [['form', 'receipt', '--text', 'x'], '--text is no receipt of this installation'],
    [
      ['verify', fileOf('no.pdf', 'x')],
      'the file is no certificate: those are PDF files, and JSON where they are of destruction',
    ],
    [
      ['audit', 'who-read', '--user', randomUUID(), '--from', '2027-01-01T00:00:00Z', '--to', '2027-01-02T00:00:00Z'],
      'No such person or emergency access',
    ],
    [['vault', 'rotate'], 'vault rotate takes one of --customer, --all and --master'],
    [['vault', 'rotate', ...own, '--all'], 'vault rotate takes one of --customer, --all and --master'],
    [['vault', 'rotate', '--customer', '999999'], 'No such customer'],
    [['vault', 'destroy', ...own, '--confirm', 'me'], '--confirm takes the username of the customer'],
  ];
  for (const [args, message] of mistakes) {
    // What is not there, or there already, was asked for as it should be, and what is looked at may be anything.
    const code = /^No such |^there is no |is taken$| is no /.test(message) ? 1 : 2;
    assert.deepEqual(await run(args), { code, out: '', err: `carepost: ${message}\n` }, args.join(' '));
  }
});

async function assertRefused(ending: Promise<Ended>, expected: RegExp, endsWith = 1): Promise<void> {
  const { code, out, err } = await ending;
  assert.deepEqual([code, out], [endsWith, '']);
  assert.match(/^carepost: (.+)\n$/.exec(err)?.[1] ?? '', expected, err);
}

test('what goes wrong is printed as one line without a trace of the code, and the process fails', async (t) => {
  const { env, run } = await openCommandLine(t);
  await assertRefused(
    run(['migrate'], { CAREPOST_MASTER_KEY_FILE: '/proc/master.key' }),
    /^CAREPOST_MASTER_KEY_FILE takes a file in a folder that this user may write: ENOENT/,
  );
  await run(['migrate']);
  const keyFile = `${env.CAREPOST_DATA_DIR}.key`;
  renameSync(keyFile, `${keyFile}.away`);
  const database = (change: (url: URL) => void) => {
    const url = new URL(env.CAREPOST_DATABASE_URL as string);
    change(url);
    return { CAREPOST_DATABASE_URL: url.href };
  };
  const missing = /^CAREPOST_MASTER_KEY_FILE is missing \(.+\), and the database was sealed with key \w+$/;
  await assertRefused(runProcess(['key', 'list'], env), missing);
  assert.equal(existsSync(keyFile), false);
  const wrong = database((url) => (url.password = 'wrong'));
  await Promise.all([
    assertRefused(
      runProcess(['migrate'], { ...env, ...wrong }),
      /^CAREPOST_DATABASE_URL leads to no database that lets us in: password/,
    ),
    assertRefused(
      run(['database', 'move', '--to', 'postgres://a:b@localhost:1/c']),
      /^--to leads to no database that lets us in: .*ECONNREFUSED/,
    ),
    assertRefused(run(['customer', 'list', '--al', '--json']), /^no such option: --al:/, 2),
    assertRefused(run(['migrate'], { CAREPOST_HTTP_PORT: 'x' }), /^CAREPOST_HTTP_PORT takes a port from 0 to 65535$/),
    assertRefused(
      run(['doctor', '--only', 'everything']),
      /^--only takes names of checks, separated by commas: database, /,
      2,
    ),
    assertRefused(
      run(['key', 'list'], { CAREPOST_DATABASE_URL: 'postgres://a:b@localhost:1/c' }),
      /^CAREPOST_DATABASE_URL leads to no database that lets us in: .*ECONNREFUSED/,
    ),
    assertRefused(
      run(
        ['migrate'],
        database((url) => (url.password = '')),
      ),
      /^CAREPOST_DATABASE_URL takes an address with a password/,
    ),
  ]);
});

test('a listener for which this machine has no address is told with its setting', async (t) => {
  const { run } = await openCommandLine(t);
  const proxied = { CAREPOST_HTTP_PORT: '0', CAREPOST_TRUSTED_PROXIES: '127.0.0.1', CAREPOST_LOG_LEVEL: 'silent' };
  const hosts = { CAREPOST_HTTP_HOST: '192.0.2.1', CAREPOST_SMTP_HOST: 'mail.invalid' };
  for (const [name, host] of Object.entries(hosts)) {
    const { code, err } = await run(['serve'], { ...proxied, [name]: host });
    assert.deepEqual([code, err], [1, `carepost: ${name} takes an address of this machine\n`]);
  }
});

test('a file that cannot be read is told in one line, and who reads no further is told nothing', async (t) => {
  const { env, folder, json } = await openCommandLine(t);
  const id = String((await json('customer', 'create', '--name', 'Clinic', '--username', 'clinic')).id);
  const missing = runProcess(['import', 'run', '--customer', id, '--file', join(folder, 'missing.csv')], env);
  await assertRefused(missing, /^--file takes a file that can be read$/, 2);
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [MAIN, 'openapi'], { env: { PATH, ...env } });
  let err = '';
  child.stderr.on('data', (bytes) => (err += String(bytes)));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = await once(child, 'close');
  assert.deepEqual([code, err], [1, '']);
});

test('commands work beside a running server, which stops on SIGTERM', async (t) => {
  const { env, folder, json } = await openCommandLine(t);
  const home = { ...(await createHome(t)), dataDir: env.CAREPOST_DATA_DIR as string, temp: folder };
  const server = await startServer(t, home, { CAREPOST_DATABASE_URL: env.CAREPOST_DATABASE_URL as string });
  assert.match(server.output(), /curl -s http/);
  const id = Number((await json('customer', 'create', '--name', 'Second', '--username', 'second')).id);
  const { id: keyId, key } = await json('key', 'create', '--customer', String(id), '--scopes', 'forms');
  const headers = { authorization: `Bearer ${String(key)}` };
  assert.equal((await fetch(`${server.url}/v1/forms/api/forms?customer_id=${id}`, { headers })).status, 200);
  const revoked = await runProcess(['key', 'revoke', String(keyId)], env);
  assert.deepEqual(revoked, { code: 0, out: `Key ${String(keyId)} is revoked.\n`, err: '' });

  const second = await runProcess(['serve'], {
    ...env,
    CAREPOST_HTTP_PORT: String(home.port),
    CAREPOST_LOG_LEVEL: 'silent',
  });
  assert.deepEqual(second, {
    code: 1,
    out: '',
    err: `carepost: port ${home.port} is in use: CAREPOST_HTTP_PORT takes another one\n`,
  });
  await server.kill('SIGTERM');
  assert.ok(readFileSync(join(home.dataDir, 'audit', 'checkpoints.log'), 'utf8').includes(`"customer":${id}`));
});

test('people are given a link, lose their second factors and are removed; operators belong to no customer', async (t) => {
  const { run, text, json } = await openCommandLine(t);
  const id = Number((await json('customer', 'create', '--name', 'Clinic', '--username', 'clinic')).id);
  const ann = ['--email', 'Ann@example.org'];
  const { id: userId } = await json('user', 'create', '--customer', String(id), '--role', 'owner', ...ann);
  const operator = await json('user', 'create', '--role', 'operator', '--email', 'root@example.org');
  assert.match(String(operator.setup_url), /\/app\/setup#[\w-]{43}$/);
  const mixed = await run(['user', 'create', '--customer', String(id), '--role', 'boss', '--email', 'c@example.org']);
  assert.equal(mixed.err, 'carepost: role: takes one of owner, admin, editor, reader\n');
  assert.match(await text('user', 'link', ...ann), /^Link, works once within 7 days: http\S+\/app\/setup#[\w-]{43}\n$/);
  assert.deepEqual(await json('user', 'reset-factors', '--email', 'ann@example.org'), { id: userId, reset: true });
  assert.deepEqual(await json('user', 'end', ...ann), { id: userId, removed: true });
  for (const command of ['end', 'link', 'reset-factors']) {
    const refused = await run(['user', command, ...ann]);
    assert.deepEqual([refused.code, refused.err], [1, 'carepost: No such user\n']);
  }
});
