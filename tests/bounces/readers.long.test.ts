import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { newsIn as newsOf } from '../../src/email/bounces/news.ts';
import type { Action, RecipientStatus } from '../../src/email/bounces/report/delivery-status.ts';
import { type Report, readReport } from '../../src/email/bounces/report/read-report.ts';
import * as samples from './samples.ts';

const ADDRESS = 'Ann.Lee+7@example.com';
const newsIn = (report: Report) => newsOf(report, true);
const read = (mail: string): Report => readReport(Buffer.from(mail));
const recipientsIn = (mail: string): RecipientStatus[] => {
  const report = read(mail);
  assert.equal(report.kind, 'delivery-status');
  return report.kind === 'delivery-status' ? report.recipients : [];
};

const told = (mail: string) =>
  newsIn(read(mail)).map(({ kind, addresses, status, bounce }) => [kind, addresses, status, bounce]);

test('reports of Postfix, Exim, Exchange, Gmail and qmail are read, each as its server writes it', () => {
  assert.deepEqual(told(samples.postfix(ADDRESS)), [['failed', [ADDRESS, ADDRESS], '5.1.1', 'hard']]);
  assert.deepEqual(told(samples.exim(ADDRESS)), [['failed', [ADDRESS], '5.2.1', 'hard']]);
  assert.deepEqual(told(samples.exchange(ADDRESS)), [['failed', [ADDRESS, ADDRESS], '5.1.10', 'hard']]);
  assert.deepEqual(told(samples.gmailFull(ADDRESS)), [['failed', [ADDRESS], '5.2.2', 'soft']]);
  assert.deepEqual(told(samples.delayed(ADDRESS)), [['delayed', [ADDRESS], '4.4.1', 'soft']]);
  assert.deepEqual(told(samples.qmail(ADDRESS)), [['failed', [ADDRESS], '5.1.1', 'hard']]);
  assert.deepEqual(told(samples.eximPlain(ADDRESS)), [['failed', [ADDRESS], null, 'soft']]);
  assert.deepEqual(told(samples.unknownServer(ADDRESS, '550 5.1.1')), [['failed', [ADDRESS], '5.1.1', 'hard']]);
  assert.deepEqual(told(samples.unknownServer(ADDRESS, '451 4.7.1')), [['delayed', [ADDRESS], '4.7.1', 'soft']]);
});

test('what the refusing server said is kept in its words, on one line, with its name where it is one', () => {
  const [postfix] = newsIn(read(samples.postfix(ADDRESS)));
  assert.equal(postfix?.words, `550 5.1.1 <${ADDRESS}>: Recipient address rejected: User unknown`);
  assert.equal(postfix?.remoteMta, 'mx.example.com');
  const [gmail] = newsIn(read(samples.gmailFull(ADDRESS)));
  assert.equal(gmail?.words, "552-5.2.2 The recipient's inbox is out of storage 552 5.2.2 space.");
  assert.equal(gmail?.remoteMta, null);
  assert.match(newsIn(read(samples.qmail(ADDRESS)))[0]?.words ?? '', /Remote host said: 550 5\.1\.1 no such user/);
});

test('a complaint is one, other feedback is noted, and an answer by a machine or a person is nothing', () => {
  const kinds = (mail: string) => newsIn(read(mail)).map(({ kind, addresses }) => [kind, addresses]);
  assert.deepEqual(kinds(samples.complaint()), [['complaint', []]]);
  assert.deepEqual(kinds(samples.complaint({ recipient: ADDRESS })), [['complaint', [ADDRESS]]]);
  assert.deepEqual(kinds(samples.complaint({ type: 'not-spam' })), [['feedback', []]]);
  assert.equal(read(samples.autoReply()).kind, 'auto-reply');
  assert.equal(
    read(samples.crlf('From: ann@example.com\n\nThe code 5.1.1 of bob@example.com is odd.\n')).kind,
    'unknown',
  );
  assert.deepEqual(newsIn(read(samples.autoReply())), []);
});

test('that mail got through, or was passed on, is no news', () => {
  for (const action of ['delivered', 'relayed', 'expanded'] as const) {
    const fields = `Final-Recipient: rfc822; ${ADDRESS}\nAction: ${action}\nStatus: 2.0.0`;
    const mail = samples.deliveryReport({ fields });
    assert.equal(recipientsIn(mail)[0]?.action, action);
    assert.deepEqual(newsIn(read(mail)), []);
  }
});

test('addresses that are not ASCII are read in each form that RFC 6533 has, and known again', () => {
  for (const [value, known] of [
    ['utf-8; jos\\x{E9}@b\\x{fc}cher.example', 'josé@xn--bcher-kva.example'],
    ['utf-8;josé@bücher.example', 'josé@xn--bcher-kva.example'],
    ['UTF-8 ; jose\\x{301}@example.com', 'josé@example.com'],
    ['rfc822; Ann@XN--BCHER-KVA.example', 'Ann@xn--bcher-kva.example'],
    ['rfc822; a\\x{41}@example.com', 'a\\x{41}@example.com'],
    ['utf-8; a\\x{110000}@example.com', 'a\\x{110000}@example.com'],
    ['utf-8; a\\x{D800}\\x{zz}@example.com', 'a\ud800\\x{zz}@example.com'],
  ] as const) {
    const fields = `Final-Recipient: ${value}\nAction: failed\nStatus: 5.1.1`;
    assert.deepEqual(newsIn(read(samples.deliveryReport({ fields })))[0]?.addresses, [known], value);
  }
});

const word = fc.stringMatching(/^[!-9;-~][ -~]{0,40}[!-~]$/);
const address = fc.stringMatching(/^[a-z0-9._+-]{1,20}@[a-z0-9]{1,10}\.(test|example)$/);
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const recipient: fc.Arbitrary<RecipientStatus> = fc.record(
  {
    finalRecipient: address,
    originalRecipient: orNull(address),
    action: fc.constantFrom<Action[]>('failed', 'delayed', 'delivered', 'relayed', 'expanded'),
    status: orNull(fc.tuple(fc.constantFrom(2, 4, 5), fc.nat(999), fc.nat(999)).map((parts) => parts.join('.'))),
    diagnostic: orNull(word),
    remoteMta: orNull(fc.stringMatching(/^[a-z0-9.-]{1,30}$/)),
  },
  { noNullPrototype: true },
);

interface Writing {
  fold: boolean;
  upper: boolean;
  encoding: '7bit' | 'base64' | 'quoted-printable';
}

/** Writes a report as servers do: in this case or that, folded or not, in any encoding. */
function write(recipients: RecipientStatus[], { fold, upper, encoding }: Writing): string {
  const field = (name: string, type: string, value: string | null) =>
    value === null ? [] : [`${upper ? name.toUpperCase() : name}:${fold ? '\r\n\t' : ' '}${type}${value}`];
  const groups = recipients.map((each) =>
    [
      ...field('Original-Recipient', 'rfc822; ', each.originalRecipient),
      ...field('Final-Recipient', 'RFC822;', each.finalRecipient),
      ...field('Action', '', upper ? each.action.toUpperCase() : each.action),
      ...field('Status', '', each.status),
      ...field('Remote-MTA', 'dns; ', each.remoteMta),
      ...field('Diagnostic-Code', 'smtp; ', each.diagnostic),
    ].join('\r\n'),
  );
  const text = ['Reporting-MTA: dns; mx.test', ...groups].join('\r\n\r\n');
  return `Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${encode(text, encoding)}\r\n--b--\r\n`;
}

function encode(text: string, encoding: Writing['encoding']): string {
  if (encoding === '7bit') return text;
  if (encoding === 'base64') return Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n');
  return text.replaceAll('=', '=3D').replace(/ \r\n/g, '=20\r\n');
}

const writing: fc.Arbitrary<Writing> = fc.record({
  fold: fc.boolean(),
  upper: fc.boolean(),
  encoding: fc.constantFrom('7bit', 'base64', 'quoted-printable'),
});

test('any report is read as it was written', () => {
  fc.assert(
    fc.property(fc.array(recipient, { maxLength: 5 }), writing, (recipients, how) => {
      const [found, wanted] = [recipientsIn(write(recipients, how)), recipients];
      assert.deepEqual(found, wanted);
    }),
    { numRuns: 500 },
  );
});

const many = (count: number) =>
  Array.from({ length: count }, (_, at) => `Final-Recipient: rfc822; a${at}@example.com\nAction: failed`).join('\n\n');

test('a report takes 100 recipients, 64 parts and a depth of 8; what is beyond is left out', () => {
  for (const [count, kept] of [
    [99, 99],
    [100, 100],
    [101, 100],
  ] as const)
    assert.equal(recipientsIn(samples.deliveryReport({ fields: many(count) })).length, kept);

  const status = `Content-Type: message/delivery-status\r\n\r\n${samples.crlf(many(1))}`;
  const behind = (parts: number) =>
    `Content-Type: multipart/report; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(parts)}--b\r\n${status}\r\n--b--\r\n`;
  assert.equal(recipientsIn(behind(63)).length, 1);
  assert.equal(read(behind(64)).kind, 'unknown');

  const within = (depth: number): string =>
    depth === 0
      ? status
      : `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${within(depth - 1)}\r\n--b${depth}--\r\n`;
  assert.equal(recipientsIn(within(8)).length, 1);
  assert.equal(read(within(9)).kind, 'unknown');
});

test('what stands behind 256 KB of headers in all is left out', () => {
  const root = 'Content-Type: multipart/report; boundary=b\r\n\r\n';
  const behind = (bytes: number) => {
    const headers = `X-Long: ${'a'.repeat(bytes - root.length - 'X-Long: \r\n\r\n'.length)}\r\n\r\n`;
    const status = `Content-Type: message/delivery-status\r\n\r\n${samples.crlf(many(1))}`;
    return `${root}--b\r\n${headers}x\r\n--b\r\n${status}\r\n--b--\r\n`;
  };
  assert.equal(recipientsIn(behind(256 * 1024)).length, 1);
  assert.equal(read(behind(256 * 1024 + 1)).kind, 'unknown');
});

const pieces = fc.constantFrom(
  ...[
    '\r\n',
    '\n',
    '\r\n\r\n',
    '--',
    '--edge',
    '--edge--',
    ':',
    ';',
    '@',
    '<',
    '>',
    ' ',
    '\t',
    '.',
    '5.1.1',
    '=',
  ].concat(
    ['"', '\\', '(', '\0', 'MAILER-DAEMON', 'Feedback-Type: abuse', 'Action: failed', 'Final-Recipient: rfc822; a@b.c'],
    ['Content-Type: multipart/report; boundary=edge', 'Content-Type: message/delivery-status'],
    ['Content-Transfer-Encoding: base64', 'Hi. This is the qmail-send program'],
    ['This message was created automatically by mail delivery software'],
  ),
);
const scraps = fc
  .array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 60 })
  .map((words) => words.join(''));

test('no bytes make the reader throw or take long', () => {
  const base = samples.postfix(ADDRESS);
  const cutAndFilled = fc
    .tuple(scraps, fc.nat(base.length))
    .map(([text, at]) => base.slice(0, at) + text + base.slice(at));
  fc.assert(
    fc.property(fc.oneof(scraps, cutAndFilled), (text) => {
      newsIn(read(text));
    }),
    { numRuns: 3_000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      newsIn(readReport(Buffer.from(bytes)));
    }),
  );
});

test('nor do ten megabytes of the worst', () => {
  const heads = ['', 'From: mailer-daemon\r\n\r\n', 'Content-Type: multipart/report; boundary=b\r\n\r\n'];
  const status = 'Content-Type: message/delivery-status\r\n\r\n';
  const worst = [
    '-',
    '\r\n',
    ' ',
    'a',
    '@',
    '5.1.1 ',
    '--b\r\n',
    '\r\n ',
    'a@',
    'a@b.c\r\n\r\n',
    ':',
    ';a="',
    '- copy of',
    '\r\n\t\r\n',
  ];
  for (const head of [...heads, status, 'Content-Type: x', 'a:']) {
    for (const piece of worst) {
      const mail = Buffer.concat([Buffer.from(head), Buffer.alloc(10 * 2 ** 20, piece)]);
      const began = process.cpuUsage();
      newsIn(readReport(mail));
      const { user, system } = process.cpuUsage(began);
      // What grows with the square takes minutes.
      assert.ok(user + system < 5e6, `${JSON.stringify([head, piece])} took ${(user + system) / 1000} ms`);
    }
  }
});
