import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { AppError } from '../../../platform/errors.ts';
import { givenHeaderLine } from '../../mime/header-lines.ts';
import { parseMime } from './parse-mime.ts';
import { readFiles } from './read-files.ts';
import { readSubmission } from './read-mime.ts';

async function read(lines: string[], recipients = ['b@example.com']) {
  const mime = new Uint8Array(Buffer.from(`${lines.join('\r\n')}\r\n`));
  return readSubmission(parseMime(mime), recipients);
}

const refusal = (error: unknown) => error instanceof AppError && error.status === 400;
const plain = ['From: a@sender.test', '', 'body'];

test('From is one address that every reader would find there', async () => {
  for (const value of [
    '',
    'a',
    'a@sender.test, b@sender.test',
    'x@evil.test, Ann <a@sender.test>',
    'a@sender.test, Ann <a@sender.test>',
    'Ann <a@sender.test>, Bob <b@sender.test>',
    'a@sender.test (b@evil.test)',
    'a@sender.test (x) (y)',
    'a@sender.test (x (y))',
    'a@sender.test (x, y)',
    '(x) a@sender.test',
    'a(x)@sender.test',
    'a@sender.test (x), b@sender.test (y)',
    'a@sender.test (=?utf-8?q?x=0D=0ABcc:_y?=)',
    'group: a@sender.test;',
    '<a@sender.test>b@evil.test',
    '"a@evil.test x"@sender.test',
    '"x" <a@sender.test> <b@evil.test>',
    '=?utf-8?q?a=40evil.test?=',
    'Ann\u2028 <a@sender.test>',
    '=?utf-8?q?Ann=0D=0ABcc:_x=40evil.test?= <a@sender.test>',
    '=?utf-8?b?QW5uAA==?= <a@sender.test>',
  ]) {
    await assert.rejects(read([`From: ${value}`, '', 'x']), refusal, value);
  }
  await assert.rejects(read(['Subject: none', '', 'x']), refusal);
  await assert.rejects(read(['From: a@sender.test', 'From: b@sender.test', '', 'x']), refusal);
  const { message } = await read(['From: =?iso-8859-1?q?=C4nn?= =?utf-8?b?TGVl?= <A@Sender.TEST>', '', 'x']);
  assert.deepEqual(message.from, { name: 'ÄnnLee', address: 'A@sender.test' });
  for (const [value, name] of [
    ['a@Sender.test (The Clinic)', 'The Clinic'],
    ['a@sender.test (=?utf-8?q?Cl=C3=ADnica?=)', 'Clínica'],
    ['a@sender.test ( )', null],
  ]) {
    const old = await read([`From: ${value}`, `Reply-To: b@x.test, ${value}`, '', 'x']);
    assert.deepEqual(old.message.from, { name, address: 'a@sender.test' });
    assert.deepEqual(old.message.replyTo[1], old.message.from);
  }
});

test('an encoded line break is refused in whichever header it hides', async () => {
  for (const hidden of ['=0D=0ABcc=3A_x', '=0A', '=0D', '=00', '=C2=85', '=E2=80=A8']) {
    const word = `=?utf-8?q?a${hidden}b?=`;
    for (const header of [
      'Subject: ',
      'X-Any: ',
      'List-Id: ',
      'References: ',
      'Idempotency-Key: ',
      'X-Template-Id: ',
    ]) {
      await assert.rejects(read([`${header}${word}`, ...plain]), refusal, header + hidden);
    }
    await assert.rejects(read([`To: ${word} <b@example.com>`, ...plain]), refusal);
    await assert.rejects(read([`Reply-To: ${word} <b@example.com>`, ...plain]), refusal);
  }
});

test('a line that is folded at a tab goes on as after a space', async () => {
  const { message } = await read([
    'Subject: long',
    '\tand \tmore',
    'References: <a@b.test>',
    ' \t<c@d.test>',
    ...plain,
  ]);
  assert.deepEqual([message.subject, message.headers.References], ['long and \tmore', '<a@b.test> <c@d.test>']);
});

test('a header with ids or addresses leaves as it came, encoded words and all', async () => {
  for (const [name, value, leaves] of [
    ['List-Id', '=?UTF-8?Q?Caf=C3=A9_News?= <news.clinic.example>', null],
    ['List-Help', '<https://klinik.example/> (=?utf-8?b?SGlsZmUgZsO8cg==?=)', null],
    ['References', '<a@b.test>\t<c@d.test>', '<a@b.test> <c@d.test>'],
  ] as const) {
    const { message } = await read([`${name}: ${value}`, ...plain]);
    assert.equal(givenHeaderLine(name, message.headers[name] ?? ''), `${name}: ${leaves ?? value}\r\n`);
  }
  const { message } = await read(['X-Case: =?UTF-8?Q?F=C3=A4ll?= 7', ...plain]);
  assert.deepEqual(message.headers, { 'X-Case': 'Fäll 7' });
});

test('headers that may stand once do, names are names, and folded lines are one line', async () => {
  await assert.rejects(read(['Subject: a', 'Subject: b', ...plain]), refusal);
  await assert.rejects(read(['X-A b: c', ...plain]), refusal);
  await assert.rejects(read(['X-Ä: c', ...plain]), refusal);
  const { message } = await read([
    'Subject: a',
    '\tb',
    'X-A: 1',
    'x-a: 2',
    'Received: by me',
    'Bcc: c@d.test',
    ...plain,
  ]);
  assert.equal(message.subject, 'a b');
  assert.deepEqual(message.headers, { 'X-A': '1' });
  assert.deepEqual(message.recipients, [{ kind: 'bcc', name: null, address: 'b@example.com' }]);
});

async function shownBy(...headers: string[]) {
  return (await read([...headers, ...plain])).message.shown;
}

async function readReplyTo(value: string) {
  return (await read([`Reply-To: ${value}`, ...plain])).message.replyTo;
}

function list(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => `p${from + index}@x.test`).join(',\r\n ');
}

test('Reply-To takes several addresses, and none that is not one', async () => {
  assert.deepEqual(
    await readReplyTo('a@x.test, "Lee, Ann" <b@x.test>,\r\n =?utf-8?q?C=C3=A4=2C?= <c@x.test>, A@X.test'),
    [
      { name: null, address: 'a@x.test' },
      { name: 'Lee, Ann', address: 'b@x.test' },
      { name: 'Cä,', address: 'c@x.test' },
    ],
  );
  assert.deepEqual(await readReplyTo(''), []);
  for (const value of [
    'a@x.test,',
    'a@x.test, b',
    ', a@x.test',
    'Lee, Ann <a@x.test>',
    '"a@x.test, b@x.test',
    'g: a@x.test;',
  ])
    await assert.rejects(readReplyTo(value), refusal, value);
  assert.equal((await readReplyTo(list(0, 100))).length, 100);
  await assert.rejects(readReplyTo(list(0, 101)), refusal);
});

test('To and Cc are shown as they were, whoever the envelope names, and Bcc never is', async () => {
  assert.deepEqual(
    await shownBy(
      'To: Bob <bob@x.test>, team: =?utf-8?q?C=C3=A4?= <c@x.test>;',
      'Cc: B@example.com, BOB@x.test',
      'Bcc: z@x.test',
    ),
    [
      { kind: 'to', name: 'Bob', address: 'bob@x.test' },
      { kind: 'to', name: 'Cä', address: 'c@x.test' },
      { kind: 'cc', name: null, address: 'B@example.com' },
    ],
  );
  assert.deepEqual(await shownBy('To: undisclosed-recipients:;', 'Bcc: b@example.com'), []);
  assert.deepEqual(await shownBy('To: nobody, "a b"@x.test, jörg@x.test'), []);
});

test('To and Cc show a thousand addresses', async () => {
  const { message } = await read([`To: ${list(0, 999)}`, 'Cc: p0@x.test, last@x.test', ...plain]);
  assert.equal(message.shown?.length, 1_000);
  await assert.rejects(read([`To: ${list(0, 1_001)}`, ...plain]), refusal);
  await assert.rejects(read([`To: ${list(0, 600)}`, `Cc: ${list(600, 1_001)}`, ...plain]), refusal);
});

test('a header that names far more than it may is refused before it is read, and named', async () => {
  const named = list(0, 1_000).replaceAll('@', '.and.a.name.of.some.length.before.the.sign@');
  assert.ok(named.length > 50_000);
  assert.equal((await read([`To: ${named}`, ...plain])).message.shown?.length, 1_000);
  const quoted = Array.from({ length: 1_000 }, (_, at) => `"Lee, Ann" <p${at}@x.test>`).join(', ');
  assert.equal((await read([`Cc: ${quoted}`, ...plain])).message.shown?.length, 1_000);
  const groups = Array.from({ length: 16 }, (_, at) => `group ${at}: p${at}@x.test;`).join(', ');
  assert.equal((await read([`To: ${groups}`, ...plain])).message.shown?.length, 16);
  const fields = {
    To: 'to: takes at most 1000 addresses and 16 groups in 128 KB',
    Cc: 'cc: takes at most 1000 addresses and 16 groups in 128 KB',
    'Reply-To': 'reply-to: takes at most 100 addresses and 16 groups in 128 KB',
    From: 'from: needs to be one valid address',
  };
  for (const sign of [',', ';', ':', 'g:', 'x ']) {
    const value = sign.repeat(140_000 / sign.length);
    for (const [name, message] of Object.entries(fields)) {
      const head = name === 'From' ? [] : ['From: a@sender.test'];
      await assert.rejects(read([...head, `${name}: ${value}a@x.test`, '', 'x']), { message }, `${name}: ${sign}`);
    }
  }
  await assert.rejects(read([`To: ${groups}, one.more: a@x.test;`, ...plain]), { message: fields.To });
});

function withFile(disposition: string, more: string[] = []) {
  return [
    'From: a@sender.test',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    `Content-Disposition: ${disposition}`,
    ...more,
    '',
    'x',
    '--b--',
  ];
}

/** Reads a message that refers to ids so long, each in a line of its own behind so much space. */
async function readReferring(lengths: number[], indent = ' '): Promise<string | undefined> {
  const lines = lengths.map((length) => `${indent}<${'r'.repeat(length - 14)}@example.org>`);
  return (await read(['References:', ...lines, ...plain])).message.headers.References;
}

test('a header that could not leave in lines of 998 characters is refused', async () => {
  assert.equal((await readReferring([985]))?.length, 985);
  assert.equal((await readReferring([986, 997]))?.length, 986 + 1 + 997);
  const many = Array.from({ length: 60 }, () => 40);
  assert.equal((await readReferring(many, '  '))?.length, 60 * 42 - 2);
  for (const lengths of [[987], [20, 998]]) await assert.rejects(readReferring(lengths), refusal);
});

test('names of files are only names', async () => {
  for (const [sent, kept] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\\\temp\\\\x.exe', 'x.exe'],
    ['..', 'attachment-1'],
    ['', 'attachment-1'],
    ['.htaccess', '.htaccess'],
    ['a\u202efdp.exe', 'afdp.exe'],
    ['=?utf-8?q?b=C3=BC.pdf?=', 'bü.pdf'],
  ] as const) {
    const { message } = await read(withFile(`attachment; filename="${sent}"`));
    assert.equal(message.attachments[0]?.fileName, kept, sent);
  }
  for (const sent of ["utf-8''a%0D%0Ab", "utf-8''a%00b", `utf-8''${'x'.repeat(256)}`]) {
    await assert.rejects(read(withFile(`attachment; filename*=${sent}`)), refusal, sent);
  }
  await assert.rejects(read(withFile('attachment; filename="=?utf-8?q?a=0Ab?="')), refusal);
  const { message } = await read(withFile('inline; filename=a', ['Content-ID: <c@d>', 'Content-Type: a/b;c=d']));
  const [file] = message.attachments;
  assert.deepEqual([file?.contentId, file?.inline, file?.contentType], ['c@d', true, 'a/b']);
  for (const [sent, kept] of [
    ['<<c@d>>', 'c@d'],
    ['<c@d> (x)', 'c@d'],
    ['c d', 'c d'],
    ['<é>', null],
    ['<>', null],
    [`<${'c'.repeat(256)}>`, null],
  ]) {
    const sloppy = await read(withFile('inline; filename=a', [`Content-ID: ${sent}`]));
    assert.equal(sloppy.message.attachments[0]?.contentId, kept, sent ?? '');
  }
});

test('a file keeps its type, and of what is said about it the method and the charset', async () => {
  for (const [sent, kept] of [
    ['text/calendar; charset=UTF-8; method=REQUEST; component=VEVENT', 'text/calendar; method=REQUEST; charset=UTF-8'],
    ['Text/Calendar;METHOD="CANCEL"', 'text/calendar; method=CANCEL'],
    ["text/csv; charset*=us-ascii''utf-8", 'text/csv; charset=utf-8'],
    ['text/calendar (comment); method="a; name=b"', 'text/calendar'],
    ['text/calendar; method="a\\"b"; charset="ä"', 'text/calendar'],
    [`text/calendar; method=${'m'.repeat(61)}`, 'text/calendar'],
    ['nonsense; charset=utf-8', 'application/octet-stream'],
  ] as const) {
    const { message } = await read(withFile('attachment', [`Content-Type: ${sent}`]));
    assert.equal(message.attachments[0]?.contentType, kept, sent);
  }
});

test('an invitation beside a text says what it asks for', async () => {
  const { message } = await read([
    'From: a@sender.test',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    '',
    'Please come',
    '--b',
    'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
    '',
    'BEGIN:VCALENDAR',
    '--b--',
  ]);
  assert.equal(message.text, 'Please come');
  assert.equal(message.attachments[0]?.contentType, 'text/calendar; method=REQUEST; charset=utf-8');
});

test('a forwarded message stays a file, and parts that are not there are not silently lost', async () => {
  const nested = [
    '--b',
    'Content-Type: message/rfc822',
    '',
    'From: x@y.test',
    'Subject: inner',
    '',
    'inner body',
    '--b--',
  ];
  const head = ['From: a@sender.test', 'Content-Type: multipart/mixed; boundary=b', ''];
  const { message } = await read([...head, '--b', '', 'outer', ...nested]);
  assert.equal(message.text?.trim(), 'outer');
  assert.equal(message.attachments[0]?.contentType, 'message/rfc822');
  await assert.rejects(read([...head, '--other', '', 'lost', '--other--']), refusal);
  await assert.rejects(read(['From: a@sender.test', 'Content-Type: multipart/mixed', '', 'lost']), refusal);
});

const file = (length: number) => ({
  filename: 'f',
  contentType: 'a/b',
  contentId: null,
  inline: false,
  content: Buffer.alloc(length),
});
const tooLarge = (error: unknown) => error instanceof AppError && error.status === 413;

test('attachments take 50 MB in all and a thousand files', () => {
  const half = 25 * 2 ** 20;
  assert.equal(readFiles([file(half), file(half)]).length, 2);
  assert.throws(() => readFiles([file(half), file(half), file(1)]), tooLarge);
  assert.equal(readFiles(Array.from({ length: 1_000 }, () => file(0))).length, 1_000);
  assert.throws(() => readFiles(Array.from({ length: 1_001 }, () => file(0))), refusal);
});

const SCRAPS = `From:|To:|Subject:|X-A:|Content-Type: multipart/mixed; boundary=b|Content-Type: text/html; charset=|--b
  |=?utf-8?q?|=0D=0A|?=|<a@b.test>|"|(|,|;|:| |filename*0*=|ä|Content-Transfer-Encoding: base64
  |Content-Transfer-Encoding: quoted-printable|Content-Disposition: attachment`.split(/\n? *\|/);
const scrap = fc.constantFrom(...SCRAPS, '\r\n', '\r\n\r\n', '\t');

test('whatever a message looks like, it is read or refused, and no line break gets into a header', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(scrap, { maxLength: 40 }), async (words) => {
      try {
        const { message } = await read([`From: a@b.test\r\n${words.join('')}`]);
        const { from, replyTo, subject, headers, recipients, shown = [], attachments } = message;
        const strings = [
          from.name,
          subject,
          ...Object.keys(headers),
          ...Object.values(headers),
          ...[...replyTo, ...recipients, ...shown].map(({ name }) => name),
          ...attachments.flatMap(({ fileName, contentId, contentType }) => [fileName, contentId, contentType]),
        ];
        for (const text of strings) assert.doesNotMatch(text ?? '', /[\0\r\n\u0085\u2028\u2029]/);
      } catch (error) {
        assert.ok(refusal(error), String(error));
      }
    }),
    { numRuns: 1_000 },
  );
});
