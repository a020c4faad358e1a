import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receiptOf } from '../support/mail.ts';
import {
  app,
  arrived,
  assertAccepted,
  assertRefused,
  attachment,
  customer,
  deliver,
  HEADERS,
  send,
  startSender,
  storedMessages,
} from '../support/sender.ts';

startSender();

test('headers outside the list are ignored, and only X- headers are answered', async () => {
  const ignored = {
    Date: 'x',
    To: 'evil@example.com',
    Bcc: 'evil@example.com',
    'Message-ID': '<x@y>',
    Sender: 'x@y.test',
  };
  const more = { 'Content-Type': 'x', 'DKIM-Signature': 'x', Received: 'x', constructor: 'x', Cc: 'evil@example.com' };
  const kept = {
    'X-Ward': '7',
    'x-case': 'Kept',
    'List-Unsubscribe': '<https://example.org/u>',
    References: '<r@example.org>',
  };
  const replied = await send({
    headers: { ...HEADERS, ...ignored, ...more, ...kept, 'In-Reply-To': '<r@example.org>' },
  });
  assertAccepted(replied);
  assert.deepEqual(replied.body.customHeaders, { 'X-Ward': '7', 'x-case': 'Kept' });

  const { headers } = await deliver({}, { ...ignored, ...more, ...kept });
  assert.ok(!JSON.stringify(headers).includes('evil@'));
  for (const name of ['Bcc', 'Cc', 'Sender', 'Received', 'constructor']) assert.ok(!Object.hasOwn(headers, name), name);
  assert.notEqual(headers['DKIM-Signature'], 'x');
  assert.notEqual(headers.Date, 'x');
  assert.notEqual(headers['Message-ID'], '<x@y>');
  assert.equal(headers['X-Ward'], '7');
  assert.equal(headers['List-Unsubscribe'], '<https://example.org/u>');
  assert.equal(headers.References, '<r@example.org>');
});

test('a header that is ignored may be anything but several lines, and one that is not must be a text', async () => {
  for (const value of [1, true, {}, { a: 1 }, ['x'], null, [], '']) {
    assertAccepted(await send({ headers: { ...HEADERS, Priority: value } }));
  }
  assertRefused(await send({ headers: { ...HEADERS, Priority: 'a\r\nb' } }), 400);
  for (const value of [1, true, {}, ['x']]) {
    for (const [name, field] of [
      ['from', 'headers.from'],
      ['Subject', 'headers.subject'],
      ['reply-to', 'headers.reply-to'],
      ['X-Ward', 'headers'],
      ['List-Id', 'headers'],
      ['References', 'headers'],
    ] as const) {
      const reply = await send({ headers: { ...HEADERS, [name]: value } });
      assertRefused(reply, 400, name);
      assert.equal(reply.body.errors[0].details, `${field}: takes a text`);
    }
  }
});

test('header names ignore case', async () => {
  const mail = await deliver({
    headers: { From: 'clinic@example.org', SUBJECT: 'Loud', 'Reply-To': 'Desk <desk@example.org>' },
  });
  assert.equal(mail.from, 'clinic@example.org');
  assert.equal(mail.subject, 'Loud');
  assert.equal(mail.headers['Reply-To'], 'Desk <desk@example.org>');
});

function word(text: string): string {
  return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

test('a name that was encoded for a header is decoded, and then holds no control characters', async () => {
  const name = `${word('Klíni')} ${word('k')}`;
  const mail = await deliver(
    { cc: [`"${name}" <cc@example.com>`] },
    {
      from: `${name} <clinic@example.org>`,
      'reply-to': `=?iso-8859-1?Q?Kl=EDnik=2C?= <a@b.test>, ${word('')} <c@d.test>`,
    },
  );
  assert.equal(mail.headers.From, `${word('Klínik')} <clinic@example.org>`);
  assert.equal(mail.headers.Cc, `${word('Klínik')} <cc@example.com>`);
  assert.equal(mail.headers['Reply-To'], `${word('Klínik,')} <a@b.test>, c@d.test`);
  for (const hidden of ['\r\nBcc: x@y.test', '\n', '\0', '\t', '\u0085', '\u2028', '\u001b']) {
    const bad = `${word(`a${hidden}`)} <a@example.org>`;
    for (const field of ['from', 'reply-to'])
      assertRefused(await send({ headers: { ...HEADERS, [field]: bad } }), 400, hidden);
    for (const field of ['recipients', 'cc', 'bcc']) assertRefused(await send({ [field]: [bad] }), 400, hidden);
  }
  const most = `${'a'.repeat(992)}=?x?q?y?`;
  assertAccepted(await send({ headers: { ...HEADERS, from: `${most} <a@example.org>` } }));
  assertRefused(await send({ headers: { ...HEADERS, from: `a${most} <a@example.org>` } }), 400);
});

test('of a header with ids or addresses only the words around them are encoded', async () => {
  const { headers } = await deliver(
    {},
    {
      'List-Id': 'Café News <news.clinic.example>',
      'List-Unsubscribe': '<https://klinik.example/abmelden/für>',
      References: '<a@b.test>\t<c@d.test>',
    },
  );
  assert.equal(headers['List-Id'], `${word('Café News')} <news.clinic.example>`);
  assert.equal(headers['List-Unsubscribe'], '<https://klinik.example/abmelden/f%C3%BCr>');
  assert.equal(headers.References, '<a@b.test> <c@d.test>');
});

test('a reply-to takes one address or up to 100', async () => {
  for (const [sent, written] of [
    ['a@b.test, Desk <c@d.test>, A@B.test', 'a@b.test, Desk <c@d.test>'],
    ['"Lee, Ann" <a@b.test>, c@d.test', '"Lee, Ann" <a@b.test>, c@d.test'],
    ['Lee, Ann <a@b.test>', '"Lee, Ann" <a@b.test>'],
  ])
    assert.equal((await deliver({}, { 'reply-to': sent })).headers['Reply-To'], written);
  const [last, ...most] = addresses(101, 'desk');
  assertAccepted(await send({ headers: { ...HEADERS, 'reply-to': most.join(', ') } }));
  assertRefused(await send({ headers: { ...HEADERS, 'reply-to': [...most, last].join(', ') } }), 400);
});

test('an invalid header name is 400, whatever its value', async () => {
  for (const name of ['', ' ', 'X Ward', 'X-Ward:', 'X-Wärd', 'X-\r\nEvil', 'X-\0', 'X-Ward\t', 'Subject ', 'X-\u2028'])
    for (const value of ['x', null]) assertRefused(await send({ headers: { ...HEADERS, [name]: value } }), 400, name);
});

test('CR, LF and NUL are 400 in every header, file name and content id', async () => {
  for (const bad of ['a\rb', 'a\nb', 'a\r\nX-Evil: 1', 'a\r\n b', 'a\0b', 'a\r\n', '\na']) {
    for (const name of ['subject', 'X-Ward', 'List-Unsubscribe', 'In-Reply-To', 'References', 'Date', 'Unknown'])
      assertRefused(await send({ headers: { ...HEADERS, [name]: bad } }), 400, [name, bad]);
    for (const name of ['from', 'reply-to'])
      assertRefused(await send({ headers: { ...HEADERS, [name]: `${bad} <a@example.org>` } }), 400, [name, bad]);
    for (const name of ['fileName', 'contentId'])
      assertRefused(await send({ attachments: [attachment({ [name]: bad })] }), 400, [name, bad]);
    for (const name of ['recipients', 'cc', 'bcc'])
      assertRefused(await send({ [name]: [`${bad} <a@example.org>`] }), 400, [name, bad]);
  }
});

test('characters that some readers take for a line break stay within their header', async () => {
  for (const breaker of ['\u0085', '\u2028', '\u2029', '\v', '\f', '\u001c', '\u0001', '"; X-Evil="']) {
    const bad = `a${breaker}X-Evil: 1`;
    const mail = await deliver(
      { attachments: [attachment({ fileName: bad, disposition: bad })] },
      { subject: bad, 'X-Ward': bad, 'List-Help': bad },
    );
    assert.ok(!Object.keys(mail.headers).some((name) => name.toLowerCase().startsWith('x-evil')), JSON.stringify(bad));
    assert.deepEqual(
      mail.attachments.map(({ size }: { size: number }) => size),
      [3],
    );
  }
});

/** An address so long. */
function url(length: number): string {
  return `https://example.org/${'a'.repeat(length - 20)}`;
}

/** Message-IDs so long. */
function ids(...lengths: number[]): string {
  return lengths.map((length) => `<${'r'.repeat(length - 14)}@example.org>`).join(' ');
}

test('a header that cannot be folded into lines of 998 characters is 400', async () => {
  for (const [name, value] of [
    ['List-Unsubscribe', `<${url(977)}>`],
    ['List-Unsubscribe', `<${url(978)}>`],
    ['References', ids(986, 997, 20)],
    ['References', ids(...Array.from({ length: 60 }, () => 40))],
    ['References', ids(...Array.from({ length: 60 }, () => 40)).replaceAll(' ', '  ')],
    ['In-Reply-To', ids(985)],
  ] as const) {
    const mail = await deliver({}, { [name]: value });
    assert.equal(mail.headers[name], value, name);
  }
  for (const [name, value] of [
    ['List-Unsubscribe', `<${url(979)}>`],
    ['List-Unsubscribe', `<${url(1_500)}>`],
    ['References', ids(987)],
    ['References', ids(20, 998)],
    ['In-Reply-To', ids(986)],
    ['List-Help', `<https://example.org>${' '.repeat(1_000)}(x)`],
    [`X-${'a'.repeat(996)}`, 'x'],
  ] as const) {
    assertRefused(await send({ headers: { ...HEADERS, [name]: value } }), 400, name);
  }
});

test('an address to unsubscribe at fits a line where it stands in the header of several recipients', async () => {
  const shared = { recipients: ['ann@example.com', 'unsubscribing@example.com'] };
  for (const length of [977, 978]) assertAccepted(await send(shared, { unsubscribe_url: url(length) }), length);
  const { headers } = await arrived('unsubscribing@example.com');
  assert.match(headers['List-Unsubscribe'], /^<https:\/\/example\.org\/a+>$/);
  assertRefused(await send(shared, { unsubscribe_url: url(979) }), 400);
  for (const length of [979, 2_047, 2_048]) assertAccepted(await send({}, { unsubscribe_url: url(length) }), length);
  assertRefused(await send({}, { unsubscribe_url: url(2_049) }), 400);
});

test('headers hold at most 256 KB in all, and as many arrive', async () => {
  const most = 256 * 1024;
  const rest = most - Buffer.byteLength([...Object.values(HEADERS), 'X-Long', 'X-Ward', 'ü'].join(''));
  for (const length of [rest - 1, rest]) {
    const { headers } = await deliver({}, { 'X-Ward': 'ü', 'X-Long': 'a'.repeat(length) });
    assert.ok(headers['X-Long'].length > length);
  }
  assertRefused(await send({ headers: { ...HEADERS, 'X-Ward': 'ü', 'X-Long': 'a'.repeat(rest + 1) } }), 400);
  assertRefused(await send({ headers: { ...HEADERS, subject: 'a'.repeat(most) } }), 400);
});

test('a content id is ASCII without angle brackets', async () => {
  for (const contentId of ['bild-ä', 'a\tb', 'a<b', 'a>b', '<a><b>', 'a\u2028b', 'a\u0001', '<<a>'])
    assertRefused(await send({ attachments: [attachment({ contentId })] }), 400, contentId);
  const { body } = await send({ attachments: [attachment({ contentId: 'bild-ä' })] });
  assert.match(body.errors[0].details, /attachments\[0\]\.contentId/);
  for (const contentId of ['logo', 'a b', '<logo@example.org>', ' <a.b-c_d%20!> ', '<>'])
    assertAccepted(await send({ attachments: [attachment({ contentId })] }), contentId);
});

function addresses(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index}@example.net`);
}

test('1 to 100 recipients with cc and bcc are accepted, 101 are not', async () => {
  const people = (to: number, cc: number, bcc: number) =>
    send({ recipients: addresses(to, 'to'), cc: addresses(cc, 'cc'), bcc: addresses(bcc, 'bcc') });
  for (const [cc, bcc] of [
    [0, 0],
    [1, 1],
    [99, 0],
    [0, 99],
  ] as const) {
    assertAccepted(await people(100 - cc - bcc, cc, bcc), [cc, bcc]);
    const stored = await storedMessages();
    assertRefused(await people(101 - cc - bcc, cc, bcc), 400, [cc, bcc]);
    assert.equal(await storedMessages(), stored);
  }
  assertAccepted(await people(1, 0, 0));
  assertAccepted(await send({ recipients: [...addresses(100, 'to'), '', null], cc: ['', null] }), 'blanks');
});

test('whoever is named twice is one recipient, also where they are counted', async () => {
  const to = 'twice@example.com';
  const { body } = await send({
    recipients: [`Ann <${to}>`, to.toUpperCase()],
    cc: [to, 'cc@example.com'],
    bcc: ['CC@example.com', 'bcc@example.com', 'bcc@EXAMPLE.com'],
  });
  const mail = await arrived(to);
  assert.equal(mail.headers.To, `Ann <${to}>`);
  assert.equal(mail.headers.Cc, 'cc@example.com');
  const receipt = await receiptOf(app, customer.key, body.sourceTrackingId);
  assert.deepEqual(
    receipt.body.data.message.message_deliveries.map(({ recipient }: { recipient: string }) => recipient),
    [to, 'cc@example.com', 'bcc@example.com'],
  );
  const people = addresses(100, 'to');
  const again = people.map((address) => address.toUpperCase());
  for (const most of [99, 100])
    assertAccepted(await send({ recipients: people.slice(0, most), cc: again.slice(0, most) }));
  assertRefused(await send({ recipients: people, cc: again, bcc: ['one-more@example.net'] }), 400);
});

test('cc and bcc are taken as one text too, as the Python libraries show it', async () => {
  const to = 'text@example.com';
  const replied = await send({
    recipients: [to],
    cc: 'Cy <text-cc@example.com>, "Lee, Ann" <text-ann@example.com>',
    bcc: 'text-bcc@example.com',
  });
  assertAccepted(replied);
  const mail = await arrived(to);
  assert.equal(mail.headers.Cc, 'Cy <text-cc@example.com>, "Lee, Ann" <text-ann@example.com>');
  assert.ok(!Object.hasOwn(mail.headers, 'Bcc'));
  const receipt = await receiptOf(app, customer.key, replied.body.sourceTrackingId);
  assert.deepEqual(
    receipt.body.data.message.message_deliveries.map(({ recipient }: { recipient: string }) => recipient),
    [to, 'text-cc@example.com', 'text-ann@example.com', 'text-bcc@example.com'],
  );
  assertAccepted(await send({ cc: '', bcc: ' ' }), 'blank');
  assertAccepted(await send({ cc: 'text-cc@example.com, , TEXT-cc@example.com,' }), 'blank and repeated');
  assertAccepted(await send({ bcc: Array(101).fill('text-bcc@example.com').join(',') }), 'one, named 101 times');
  for (const wrong of ['text-bcc@example.com, x', 'a@example.com\r\nX-A: b', addresses(101, 'bcc').join(',')]) {
    assertRefused(await send({ bcc: wrong }), 400);
  }
  assertRefused(await send({ bcc: addresses(100, 'bcc').join(',') }), 400);
  assertRefused(await send({ cc: `a@example.com${','.repeat(70_000)}` }), 400);
});

test('a message to one person who is named twice tells of opens, as one to one person does', async () => {
  const { body } = await send({
    recipients: ['one@example.com', 'ONE@example.com'],
    content: { 'text/html': '<p>x</p>' },
  });
  const receipt = await receiptOf(app, customer.key, body.sourceTrackingId);
  assert.equal(receipt.body.data.message.total_opens, 0);
});

test('no, blank or invalid recipients are 400 even when cc is fine', async () => {
  const stored = await storedMessages();
  for (const recipients of [
    [],
    [''],
    [null],
    [' ', ''],
    ['x'],
    ['a@b'],
    ['a@b.test, c@d.test'],
    ['ann@example.com', 'x'],
    null,
    undefined,
    '',
  ])
    assertRefused(await send({ recipients, cc: ['ann@example.com'] }), 400, recipients);
  for (const name of ['cc', 'bcc'])
    for (const list of [['x'], ['ann@example.com', 'x@'], ['a@[127.0.0.1]'], [7], 'x', {}])
      assertRefused(await send({ [name]: list }), 400, [name, list]);
  assert.equal(await storedMessages(), stored);
});

test('an empty or invalid from and an invalid reply-to are 400', async () => {
  for (const from of ['', ' ', null, undefined, [], 'Clinic', 'Clinic <>', 'a@b.test, c@d.test', 7])
    assertRefused(await send({ headers: { ...HEADERS, from } }), 400, from);
  for (const replyTo of ['x', 'a@b.test, c', 'a@b.test,', 'a@b.test, Lee, Ann <c@d.test>', 'a@b.test, c@d.test\u2028'])
    assertRefused(await send({ headers: { ...HEADERS, 'reply-to': replyTo } }), 400, replyTo);
  for (const headers of [undefined, null, {}, [], '']) assertRefused(await send({ headers }), 400, headers);
});
