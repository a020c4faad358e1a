import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import PostalMime, { decodeWords } from 'postal-mime';
import { DEFAULT_HANDLING, type Message } from '../../submission/message.ts';
import { composeMime } from './compose.ts';

const LONGEST_LINE = 998; // RFC 5322 2.1.1

const words = fc
  .string({
    unit: fc.constantFrom('a', 'Z', ' ', '.', '=', '-', '\t', '\r', '\n', '\r\n', 'é', '—', '漢', '😀', '\u0001'),
  })
  .map((text) => text.repeat(3));
const oneLine = fc
  .string({ unit: fc.constantFrom('a', 'Z', '"', '\\', ',', '<', '@', ' ', 'é', '漢', '😀'), maxLength: 60 })
  .map((text) => text.replace(/ +/g, ' ').trim());
const name = oneLine.map((text) => (text === '' ? null : text));
const file = fc.record({
  fileName: fc
    .string({ unit: fc.constantFrom('a', '.', ' ', '"', '%', 'é', '漢'), minLength: 1, maxLength: 120 })
    .map((text) => `f${text.replace(/ +/g, ' ').trim()}`),
  contentType: fc.constantFrom('application/pdf', 'text/csv', 'image/png'),
  content: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  contentId: fc.constantFrom(null, 'one@example', 'two'),
  inline: fc.boolean(),
});

function messageOf(parts: Partial<Message>): Parameters<typeof composeMime>[0] {
  const { text = null, html = null, attachments = [], ...envelope } = parts;
  return {
    id: '01900000-0000-7000-8000-000000000000',
    createdAt: new Date('2026-11-16T12:00:00Z'),
    envelope: {
      from: { name: 'Clinic', address: 'clinic@example.org' },
      replyTo: [],
      subject: 'Hello',
      headers: {},
      recipients: [{ kind: 'to', name: null, address: 'ann@example.com' }],
      handling: DEFAULT_HANDLING,
      ...envelope,
    },
    content: { text, html, attachments },
  };
}

async function written(
  parts: Partial<Message>,
): Promise<{ whole: Buffer; read: Awaited<ReturnType<typeof PostalMime.parse>> }> {
  const { headers, body } = await composeMime(messageOf(parts));
  const whole = Buffer.concat([`${headers}\r\n`, ...body].map((piece) => Buffer.from(piece)));
  return { whole, read: await PostalMime.parse(whole) };
}

function sortKey([fileName, bytes]: readonly [string, Buffer]): string {
  return `${fileName}/${bytes.toString('hex')}`;
}

/** Texts are compared by their lines: how those end is the mail's, and ends of lines at the end are no text. */
function linesOf(text: string | undefined): string {
  return (text ?? '').replace(/\r\n?/g, '\n').replace(/\n+$/, '');
}

test('what is written is read back as it was: texts, names, subject, files to the byte', async () => {
  const any = fc.record({
    text: fc.option(words),
    html: fc.option(words),
    subject: oneLine,
    name,
    attachments: fc.array(file, { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(any, async ({ name: called, attachments, ...parts }) => {
      const recipients = [{ kind: 'to', name: called, address: 'ann@example.com' }] as const;
      const { whole, read } = await written({ ...parts, attachments, recipients: [...recipients] });
      const lines = whole.toString('latin1').split('\r\n');
      assert.ok(
        lines.every((line) => line.length <= LONGEST_LINE && !/[\r\n]/.test(line)),
        'whole lines, none too long',
      );
      assert.equal(lines.at(-1), '', 'the last line has an end too');
      assert.equal(linesOf(read.text), linesOf(parts.text ?? undefined));
      assert.equal(linesOf(read.html), linesOf(parts.html ?? undefined));
      assert.equal(read.subject ?? '', parts.subject);
      assert.deepEqual(
        read.to?.map((each) => [each.name, each.address]),
        [[called ?? '', 'ann@example.com']],
      );
      const files = read.attachments.map(
        (each) => [each.filename ?? '', Buffer.from(each.content as ArrayBuffer)] as const,
      );
      const meant = attachments.map((each) => [each.fileName, each.content] as const);
      assert.deepEqual(files.map(sortKey).toSorted(), meant.map(sortKey).toSorted());
    }),
    { numRuns: 300 },
  );
});

test('a name that looks encoded is written so that it is read as it is', async () => {
  const recipients: Message['recipients'] = [{ kind: 'to', name: '=?UTF-8?B?x', address: 'ann@example.com' }];
  const { whole, read } = await written({ recipients });
  assert.ok(!whole.includes('"'));
  assert.equal(read.to?.[0]?.name, '=?UTF-8?B?x');
});

test('blind copies are not named, and headers come as they were given', async () => {
  const recipients: Message['recipients'] = [
    { kind: 'to', name: 'Ann "A" Patient', address: 'ann@example.com' },
    { kind: 'cc', name: null, address: 'bob@example.com' },
    { kind: 'bcc', name: 'Hidden', address: 'hidden@example.com' },
  ];
  const link = `<https://example.org/${'a'.repeat(600)}>`;
  const headers = { 'List-Unsubscribe': link, 'X-Case': 'Größe', 'X-Done': '=?UTF-8?Q?Gr=C3=B6=C3=9Fe?=' };
  const { whole, read } = await written({ recipients, headers, text: '.\n..\nFrom here' });
  assert.ok(!whole.includes('idden'));
  assert.ok(whole.includes(`List-Unsubscribe: ${link}\r\n`), 'an address stays whole');
  assert.deepEqual(
    read.headers.filter(({ key }) => key.startsWith('x-')).map(({ value }) => decodeWords(value)),
    ['Größe', 'Größe'],
  );
  assert.equal(linesOf(read.text), '.\n..\nFrom here');
  assert.match(whole.toString(), /^Content-Transfer-Encoding: 7bit\r$/m);
});

function eml(content: Buffer): Message['attachments'][number] {
  return { fileName: 'm.eml', contentType: 'message/rfc822', content, contentId: null, inline: false };
}

function withLineOf(length: number): Buffer {
  return Buffer.from(`Subject: within\r\n\r\n${'x'.repeat(length)}\n`);
}

test('a message that is attached goes as it is, with whole line ends', async () => {
  const { whole } = await written({
    text: 'see below',
    attachments: [eml(Buffer.from('Subject: within\n\n.\nhé\r.\r\n'))],
  });
  assert.ok(whole.includes('Content-Transfer-Encoding: 8bit\r\n\r\nSubject: within\r\n\r\n.\r\nhé\r\n.\r\n'));
  const { whole: longest } = await written({ attachments: [eml(withLineOf(998))] });
  assert.ok(longest.includes('Content-Type: message/rfc822; name=m.eml\r\n'));
});

test('a message that is attached and cannot go as it is goes as a file, to the byte', async () => {
  for (const content of [withLineOf(999), withLineOf(1_500), Buffer.from('Subject: within\r\n\r\na\0b')]) {
    const { whole, read } = await written({ text: 'see below', attachments: [eml(content)] });
    const lines = whole.toString('latin1').split('\r\n');
    assert.ok(lines.every((each) => each.length <= LONGEST_LINE && !each.includes('\0')));
    const [attached] = read.attachments;
    assert.deepEqual([attached?.filename, attached?.mimeType], ['m.eml', 'application/octet-stream']);
    assert.ok(Buffer.from(attached?.content as ArrayBuffer).equals(content));
  }
});
