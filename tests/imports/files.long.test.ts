import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { countsOf, importFile, people, rejectsOf, type Settings } from './support.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

async function imported(file: string | Buffer, settings: Settings = {}) {
  const customer = await app.createCustomer();
  const told = await importFile(app, customer, file, settings);
  const stored = await people(app, customer);
  return {
    told,
    stored,
    names: stored.map(({ first_name }) => first_name),
    rejects: await rejectsOf(app, customer, told),
  };
}

const NAMED = 'email,first_name\na@example.com,Zoë Müller – “é”\nb@example.com,Ann\n';

/** Text as windows-1252 has it. */
function in1252(text: string): Buffer {
  const special: Record<string, number> = { '–': 0x96, '“': 0x93, '”': 0x94 };
  return Buffer.from(Array.from(text, (character) => special[character] ?? character.charCodeAt(0)));
}

test('the encoding of a file is found out', async () => {
  const utf16 = Buffer.from(`\ufeff${NAMED}`, 'utf16le');
  const files: [string, Buffer][] = [
    ['utf-8', Buffer.from(NAMED)],
    ['utf-8', Buffer.from(`\ufeff${NAMED}`)],
    ['utf-16le', utf16],
    ['utf-16be', Buffer.from(utf16).swap16()],
    ['windows-1252', in1252(NAMED)],
  ];
  for (const [encoding, file] of files) {
    const { told, names } = await imported(file);
    assert.equal(told.attributes.encoding, encoding);
    assert.deepEqual(names, ['Zoë Müller – “é”', 'Ann'], encoding);
  }
  const { names } = await imported(Buffer.from(NAMED, 'utf16le'), { encoding: 'UTF-16LE' });
  assert.equal(names[0], 'Zoë Müller – “é”', 'as it was asked for, without a mark');
});

test('a line in another encoding than the rest is refused, not the file', async () => {
  const file = Buffer.concat([
    Buffer.from(NAMED),
    Buffer.from('c@example.com,Ren\xe9\n', 'latin1'),
    Buffer.from('d@example.com,Bé\n'),
  ]);
  const { told, names, rejects } = await imported(file);
  assert.deepEqual(names, ['Zoë Müller – “é”', 'Ann', 'Bé']);
  assert.deepEqual(rejects, { 4: ['is not utf-8 text'] });
  assert.equal(told.attributes.skipped, 1);
  const nul = await imported('email\na@example.com\nb\0@example.com\n');
  assert.deepEqual(nul.rejects, { 3: ['is not utf-8 text'] });
});

test('the delimiter, the header and the columns are found out', async () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const file = ['E-Mail', 'Prénom', 'Nachname', 'Mobile', 'Team'].join(delimiter);
    const { told, stored } = await imported(
      `${file}\n${['a@example.com', 'A', 'B', '+4930123456', '7, 8; "9"'].map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)}\n`,
    );
    assert.equal(told.attributes.delimiter, delimiter);
    const [ann] = stored;
    assert.deepEqual(
      [ann?.email, ann?.first_name, ann?.last_name, ann?.phone_number, ann?.custom],
      ['a@example.com', 'A', 'B', '+4930123456', { Team: '7, 8; "9"' }],
    );
  }
  const { told, stored } = await imported('Ann,a@example.com,+49 30 123456\n,b@example.com,\n');
  assert.deepEqual(told.attributes.columns, [null, 'email', 'phone_number']);
  assert.deepEqual(
    stored.map(({ phone_number }) => phone_number),
    ['+4930123456', null],
  );
  const { told: forced } = await imported('a@example.com,x\nb@example.com,y\n', {
    has_header: 'true',
    mapping: '{"0":"email"}',
  });
  assert.deepEqual([forced.attributes.columns, forced.attributes.created], [['email', 'x'], 1]);
});

test('a first line for spreadsheets says the delimiter, and is no row', async () => {
  const rows = 'Email|Vorname\r\nsep=a@example.com|A, B; C\r\nnobody|\r\n';
  for (const file of [`sep=|\r\n${rows}`, `"SEP=|"\r\n${rows}`, Buffer.from(`\uFEFFsep=|\r\n${rows}`, 'utf16le')]) {
    const { told, stored, rejects } = await imported(file);
    assert.deepEqual([told.attributes.delimiter, told.attributes.columns], ['|', ['email', 'first_name']]);
    assert.deepEqual(
      stored.map(({ email, first_name }) => [email, first_name]),
      [['sep=a@example.com', 'A, B; C']],
    );
    assert.deepEqual(rejects, { 4: ['email is not a valid address'] });
  }
  const { told, rejects } = await imported('sep=;\na@example.com;A\nnobody;B\n');
  assert.deepEqual([told.attributes.created, rejects], [1, { 3: ['email is not a valid address'] }]);
});

test('a mapping says what columns are, by header or index', async () => {
  const file = 'Email,Kontakt,Notes,Ward\nwork@example.com,a@example.com,secret,7\n';
  const mapping = JSON.stringify({ Kontakt: 'email', '0': 'Work address', Notes: null });
  const { told, stored } = await imported(file, { mapping });
  assert.deepEqual(told.attributes.columns, ['Work address', 'email', null, 'Ward']);
  assert.deepEqual(
    stored.map(({ email, custom }) => [email, custom]),
    [['a@example.com', { 'Work address': 'work@example.com', Ward: '7' }]],
  );
  for (const [bad, failure] of [
    ['{"Nope":"email"}', 'mapping names a column that the file does not have'],
    ['{"9":"email"}', 'mapping names a column that the file does not have'],
    ['{"Notes":"Ward"}', 'Two columns of the file would be the same field'],
    ['{"Email":null,"Kontakt":"x"}', 'No column of the file holds addresses or phone numbers'],
  ] as const) {
    const { told: failed } = await imported(file, { mapping: bad });
    assert.deepEqual([failed.attributes.state, failed.attributes.failure], ['failed', failure]);
  }
});

test('a file without rows, and one of 10,000 columns, fail with a reason', async () => {
  for (const [file, failure] of [
    ['\n\n', 'The file has no row that can be read'],
    [
      `email,${Array.from({ length: 10_000 }, (_, index) => `c${index}`).join(',')}\n`,
      'The file has more than 1006 columns',
    ],
    [
      `email,${Array.from({ length: 1_001 }, (_, index) => `c${index}`).join(',')}\n`,
      'custom_fields: a customer has at most 1000 fields',
    ],
    [`email,${'n'.repeat(101)}\n`, 'The name of a column takes at most 100 characters'],
    ['email,"Ward\nor floor"\n', 'The name of a column takes no line breaks or other control characters'],
  ]) {
    const { told } = await imported(file as string);
    assert.deepEqual([told.attributes.state, told.attributes.failure], ['failed', failure]);
  }
  const { told } = await imported('email\n');
  assert.deepEqual([told.attributes.state, told.attributes.rows_done], ['done', 0]);
});

test('rows are held to the rules of a subscriber, and refused with reasons that hold no values', async () => {
  const long = 'x'.repeat(1_000);
  const { told, rejects, stored } = await imported(
    [
      'email,phone,first name,time zone,Note',
      'A.B+c@Exämple.com,,,Europe/Berlin,',
      `ok@example.com,,${long},,${long}`,
      `no@example.com,,${long}x,,`,
      `no@example.com,,,,${long}x`,
      'secret value,,,,',
      'Ann <ann@example.com>,,,,',
      'a@b,,,,',
      ',030 12345,,,',
      ',+1 (415) 555-0123,Phone only,,',
      ',,Nobody,,',
      'z@example.com,,,Mars/Olympus,',
      'q@example.com,,,,,,extra',
      'q@example.com,,,,,,',
      'short@example.com',
    ].join('\n'),
  );
  assert.deepEqual(rejects, {
    4: ['first_name takes at most 1000 characters'],
    5: ['custom field Note takes at most 1000 characters'],
    6: ['email is not a valid address'],
    7: ['email is not a valid address'],
    8: ['email is not a valid address'],
    9: ['phone_number takes E.164'],
    11: ['email is required, or phone_number'],
    12: ['time_zone is no time zone'],
    13: ['has more cells than the file has columns'],
  });
  assert.deepEqual(countsOf(told), { created: 5, updated: 0, unchanged: 0, skipped: 9, opted_out: 0 });
  assert.deepEqual(
    stored.map(({ email }) => email),
    ['A.B+c@xn--exmple-cua.com', 'ok@example.com', 'q@example.com', 'short@example.com', null],
  );
  assert.ok(!app.logged().includes('secret value'));
});

test('lines are told by what parts them outside of quotes', async () => {
  const lines = ['email,first_name,Note', 'a@example.com,Ann,"one\ntwo\nthree\nfour"', 'b@example.com,"B\r\rb",x'];
  for (const newline of ['\r', '\n', '\r\n']) {
    const { told, stored } = await imported(lines.join(newline));
    assert.deepEqual(told.attributes.columns, ['email', 'first_name', 'Note'], JSON.stringify(newline));
    assert.deepEqual(
      stored.map(({ first_name, custom }) => [first_name, custom]),
      [
        ['Ann', { Note: 'one\ntwo\nthree\nfour' }],
        ['B\r\rb', { Note: 'x' }],
      ],
    );
  }
});

test('unclosed quotes and long lines are told of by the line where they begin', async () => {
  const file = `email,first_name\na@example.com,"A\nb@example.com,B\nc@example.com,${'x'.repeat(2 ** 20)}\nd@example.com,D\n`;
  const { rejects, stored } = await imported(file);
  assert.deepEqual(rejects, { 2: ['has a quote that never closes'], 4: ['is longer than 1 MB'] });
  assert.deepEqual(
    stored.map(({ email }) => email),
    ['b@example.com', 'd@example.com'],
  );
});
