import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime from 'postal-mime';
import { AppError } from '../../../platform/errors.ts';
import { parseMime } from './parse-mime.ts';

const parse = (lines: string[]) => parseMime(Buffer.from(lines.join('\r\n')));
const refused = (error: unknown) => error instanceof AppError && error.status === 400;

const plain = (said: string | null | undefined) => said?.replaceAll('\r\n', '\n').trimEnd();

const text = fc.string({ unit: 'grapheme', maxLength: 200 }).filter((each) => each.trim() !== '');
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .map((each) => `${each.replace(/[\p{C}\p{Z}/\\]/gu, '_')}.x`);
const file = fc.record({
  filename: name,
  content: fc.uint8Array({ maxLength: 5_000 }).map((bytes) => Buffer.from(bytes)),
});
const mail = fc.record(
  {
    text,
    html: text,
    attachments: fc.array(file, { maxLength: 3 }),
    textEncoding: fc.constantFrom('base64', 'quoted-printable'),
  },
  { requiredKeys: ['text', 'textEncoding'] },
);

test('what nodemailer writes is read back as it was, files to the byte', async () => {
  await fc.assert(
    fc.asyncProperty(mail, async ({ textEncoding, ...parts }) => {
      const composer = new MailComposer({ ...parts, from: 'a@b.test', textEncoding, newline: '\r\n' });
      const parsed = parseMime(await composer.compile().build());
      assert.equal(plain(parsed.text), plain(parts.text));
      assert.equal(plain(parsed.html), plain(parts.html));
      const read = parsed.attachments.map(({ filename, content }) => ({ filename, content: content.toString('hex') }));
      const sent = parts.attachments?.map(({ filename, content }) => ({ filename, content: content.toString('hex') }));
      assert.deepEqual(read, sent ?? []);
    }),
    { numRuns: 300 },
  );
});

const BORDERS = `Content-Type: multipart/mixed; boundary="b b"||preamble|--b b2|--b b \t||--b bx|one||--b b||--b b
|Content-Type: multipart/alternative; boundary=c||--c||two|--b b--|--b b||epilogue`.split(/\n?\|/);

test('borders are whole lines: longer ones, those of parts inside and white space after them are told apart', async () => {
  const { text: said } = parse(BORDERS);
  assert.equal(said, '--b bx\r\none\r\n\ntwo');
  const other = await PostalMime.parse(BORDERS.join('\r\n'));
  assert.deepEqual(other.text?.match(/one|two|epilogue/g), ['one', 'two']);
});

const part = (type: string, body: string) => ['--b', `Content-Type: ${type}`, '', body];
const readParts = (kind: string, ...parts: string[][]) => {
  const { text: said, html } = parse([`Content-Type: multipart/${kind}; boundary=b`, '', ...parts.flat(), '--b--', '']);
  return [said, html];
};

test('forms of one body and bodies one after the other become one text and one HTML', () => {
  assert.deepEqual(readParts('alternative', part('text/plain', 't'), part('text/html', 'h')), ['t', 'h']);
  assert.deepEqual(readParts('mixed', part('text/plain', 't'), part('text/plain', 'u')), ['t\nu', null]);
  assert.deepEqual(readParts('mixed', part('text/html', 'h'), part('text/plain', '<u>')), [
    null,
    'h\n<p>&lt;u&gt;</p>',
  ]);
  assert.deepEqual(readParts('mixed', part('text/html', 'h')), [null, 'h']);
});

const readBody = (encoding: string, type: string, body: string) =>
  parse([`Content-Transfer-Encoding: ${encoding}`, `Content-Type: ${type}`, '', body]).text;

test('bodies in every encoding and charset', () => {
  assert.equal(
    readBody('Quoted-Printable', 'text/plain; charset=utf-8', 'a=C3=A4=\r\nb = \r\nc \t\r\n=3d=XY='),
    'aäb c\r\n==XY',
  );
  assert.equal(readBody('base64', 'text/plain; charset=iso-8859-1', '5Pb8'), 'äöü');
  assert.equal(readBody('base64', 'text/plain', 'QQ==\r\nQg==\r\n'), 'AB');
  assert.equal(readBody('8bit', 'text/plain', 'ä'), 'ä');
  assert.equal(readBody('7bit', 'text/plain; charset=nonsense', 'a'), 'a');
  assert.equal(readBody('base64', 'text/plain', '5Pb8'), 'äöü');
  assert.throws(() => readBody('x-uuencode', 'text/plain', 'a'), refused);
});

const readName = (parameters: string) =>
  parse([`Content-Disposition: attachment; ${parameters}`, '', 'x']).attachments[0]?.filename;

test('a name of a file in pieces, in another charset, quoted, or given twice', () => {
  assert.equal(readName("filename*=iso-8859-1''%e4.pdf"), 'ä.pdf');
  assert.equal(readName("filename*1=%42.pdf; filename*0*=utf-8''%C3%A4"), 'ä%42.pdf');
  assert.equal(readName('filename="a\\"b;c.pdf"; filename=d'), 'a"b;c.pdf');
  assert.equal(readName("filename=plain; filename*=utf-8''better"), 'better');
  assert.equal(readName('size=7'), null);
});

test('what two readers would read in two ways is refused', () => {
  for (const lines of [
    ['Content-Type: text/plain', 'Content-Type: text/html', '', 'x'],
    ['Content-Transfer-Encoding: base64', 'content-transfer-encoding: 7bit', '', 'x'],
    ['Subject : x', '', 'x'],
    ['no header', '', 'x'],
    [' folded', '', 'x'],
    ['From x@y Mon Jan 1', 'Subject: x', '', 'x'],
    ['Content-Type: multipart/mixed', '', '--b', '', 'x'],
    [`Content-Type: multipart/mixed; boundary=${'b'.repeat(201)}`, '', 'x'],
  ]) {
    assert.throws(() => parse(lines), refused, lines[0]);
  }
  assert.deepEqual(parse(['']), { headers: [], text: null, html: null, attachments: [] });
});
