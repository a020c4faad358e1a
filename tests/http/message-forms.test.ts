import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const PATH = '/v1/email/messages';
const MB = 2 ** 20;

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
  customer = await app.createCustomer();
});

type Fields = Record<string, unknown>;

const HEADERS = { from: 'Clinic <clinic@example.org>', subject: 'Your results' };

function message(changes: Fields = {}): Fields {
  return { recipients: ['ann@example.com'], headers: HEADERS, content: { 'text/plain': 'Here.' }, ...changes };
}

function send(changes: Fields = {}, more: Fields = {}): Promise<Reply> {
  return app.request('POST', PATH, { key: customer.key, body: { data: { message: message(changes), ...more } } });
}

function assertAccepted({ status, body }: Reply, what?: unknown): void {
  assert.equal(status, 200, JSON.stringify(what));
  assert.deepEqual(Object.keys(body), ['sourceTrackingId', 'customHeaders', 'data']);
  assert.equal(body.data, 'Service OK');
}

function assertRefused({ status, body }: Reply, expected: number, what?: unknown): void {
  assert.equal(status, expected, JSON.stringify(what));
  assert.deepEqual(Object.keys(body), ['errors']);
  assert.equal(body.errors.length, 1);
  const { code, title, details, ...rest } = body.errors[0];
  assert.equal(code, expected);
  for (const text of [title, details]) assert.ok(typeof text === 'string' && text !== '');
  assert.deepEqual(rest, {});
}

let mails = 0;

/** Sends a message to an address of its own and waits until it is in the sandbox. */
async function deliver(changes: Fields = {}, headers: Fields = {}) {
  mails += 1;
  const to = `mail-${mails}@example.com`;
  const reply = await send({ recipients: [to], headers: { ...HEADERS, ...headers }, ...changes });
  assertAccepted(reply, changes);
  return arrived(to);
}

async function arrived(to: string) {
  const [mail] = await eventually(async () => {
    const { body } = await app.request('GET', `/v1/email/sandbox/messages?to=${to}`, { key: customer.key });
    return body.data.length > 0 && body.data;
  });
  return mail;
}

async function storedMessages(): Promise<number> {
  const rows = await app.installation.db.tenant([customer.id], (tx) =>
    tx.selectFrom('messages').select('id').execute(),
  );
  return rows.length;
}

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const RICH = '<p>Grüße, Ann. This line is long enough to be broken by an encoder that wraps.</p>';
const unpadded = base64(`${RICH}!`).replace(/=+$/, '');
assert.notEqual(unpadded.length % 4, 0);

const HTML: Record<string, [sent: string, meant: string]> = {
  'HTML as it is': [RICH, RICH],
  base64: [base64(RICH), RICH],
  'base64 without padding': [unpadded, `${RICH}!`],
  'base64 in lines': [base64(RICH).replace(/.{40}/g, '$&\n'), RICH],
  'base64 in lines with CRLF and a last one': [`${base64(RICH).replace(/.{76}/g, '$&\r\n')}\r\n`, RICH],
  'base64 with a literal \\n': [`${base64(RICH).replace(/.{60}/g, '$&\\n')}\\n`, RICH],
  'base64 between spaces': [`  ${base64(RICH)}\t`, RICH],
  'base64 of lines and tabs': [base64('<p>a</p>\r\n\t<p>b</p>'), '<p>a</p>\r\n\t<p>b</p>'],
  'base64 of eight characters': ['SGVsbG8h', 'Hello!'],
  'base64 of base64, decoded once': [base64(base64(RICH)), base64(RICH)],
  'seven characters of the alphabet': ['SGVsbG8', 'SGVsbG8'],
  'a word that decodes to no UTF-8': ['Thankyou', 'Thankyou'],
  'words that decode to no UTF-8': ['Please come in', 'Please come in'],
  'text that decodes to control characters': [base64('a\u0001bcdef'), base64('a\u0001bcdef')],
  'the alphabet of URLs': ['PHA-SGVsbG8_PC9wPg', 'PHA-SGVsbG8_PC9wPg'],
  'padding in the middle': ['SGVs=bG8gd29ybGQ', 'SGVs=bG8gd29ybGQ'],
  'a full stop after base64': [`${base64('<p>Hello</p>')}.`, `${base64('<p>Hello</p>')}.`],
};

test('text/html arrives as it was meant, plain or in any base64 that clients send', async () => {
  await Promise.all(
    Object.entries(HTML).map(async ([what, [sent, meant]]) => {
      const mail = await deliver({ content: { 'text/html': sent } });
      assert.equal(mail.html.trimEnd().replaceAll('\r\n', '\n'), meant.replaceAll('\r\n', '\n'), what);
    }),
  );
});

test('text/plain is never decoded', async () => {
  const text = base64(RICH);
  const mail = await deliver({ content: { 'text/plain': text, 'text/html': text } });
  assert.equal(mail.text.trim(), text);
  assert.equal(mail.html.trim(), RICH);
});

test('flags are accepted in every spelling and never switch off TLS', async () => {
  const names = ['allowNonTLS', 'allow_non_tls', 'forceSecureNotification', 'force_secure_notification'];
  for (const name of names)
    for (const value of [true, false, 0, 1, '', 'true', 'false', '0', '1', null])
      assertAccepted(await send({ [name]: value }), [name, value]);
  for (const name of names.slice(0, 2)) assert.match((await deliver({ [name]: true })).tls.version, /^TLSv1\.[23]$/);
});

const attachment = (changes: Fields = {}) => ({
  fileName: 'a.txt',
  contentType: 'text/plain',
  content: 'YWJj',
  ...changes,
});

/** Ways to send one optional thing, each taking the value that stands for nothing. */
const OPTIONAL: Record<string, (nothing: unknown) => Promise<Reply>> = {
  cc: (cc) => send({ cc }),
  bcc: (bcc) => send({ bcc }),
  subject: (subject) => send({ headers: { ...HEADERS, subject } }),
  'reply-to': (replyTo) => send({ headers: { ...HEADERS, 'reply-to': replyTo } }),
  'List-Unsubscribe': (value) => send({ headers: { ...HEADERS, 'List-Unsubscribe': value } }),
  'List-Unsubscribe-Post': (value) => send({ headers: { ...HEADERS, 'List-Unsubscribe-Post': value } }),
  'X-Anything': (value) => send({ headers: { ...HEADERS, 'X-Anything': value } }),
  content: (content) => send({ content }),
  'text/plain': (text) => send({ content: { 'text/plain': text, 'text/html': RICH } }),
  'text/html': (html) => send({ content: { 'text/plain': 'Here.', 'text/html': html } }),
  attachments: (attachments) => send({ attachments }),
  contentId: (contentId) => send({ attachments: [attachment({ contentId })] }),
  disposition: (disposition) => send({ attachments: [attachment({ disposition })] }),
  fileName: (fileName) => send({ attachments: [attachment({ fileName })] }),
  contentType: (contentType) => send({ attachments: [attachment({ contentType })] }),
  'content of an attachment': (content) => send({ attachments: [attachment({ content })] }),
  allowNonTLS: (flag) => send({ allowNonTLS: flag }),
  force_secure_notification: (flag) => send({ force_secure_notification: flag }),
  template_id: (id) => send({}, { template_id: id }),
  template_variables: (variables) => send({}, { template_variables: variables }),
  'template_id of the message': (id) => send({ template_id: id }),
  'template_variables of the message': (variables) => send({ template_variables: variables }),
  override_open_tracking: (flag) => send({}, { override_open_tracking: flag }),
  override_link_tracking: (flag) => send({}, { override_link_tracking: flag }),
  unsubscribe_url: (url) => send({}, { unsubscribe_url: url }),
};

for (const [name, nothing] of Object.entries({ null: null, 'an empty string': '', 'an empty array': [] })) {
  test(`${name} stands for nothing wherever something is optional`, async () => {
    const refused: string[] = [];
    for (const [what, sendIt] of Object.entries(OPTIONAL)) {
      const { status } = await sendIt(nothing);
      if (status !== 200) refused.push(`${what}: ${status}`);
    }
    assert.deepEqual(refused, []);
  });
}

test('blank entries in recipients, cc and bcc are left out', async () => {
  const mail = await deliver({ cc: ['', 'cc@example.com', null, '  '], bcc: [null, '', ' \t'] });
  assert.equal(mail.headers.Cc, 'cc@example.com');
  await deliver({ recipients: ['', null, `mail-${mails + 1}@example.com`] });
});

test('an empty subject and no body at all are accepted and delivered', async () => {
  const noBodies = [{ content: undefined }, { content: {} }, { content: { 'text/plain': '', 'text/html': '' } }];
  for (const changes of [...noBodies, { content: null }]) {
    const mail = await deliver(changes, { subject: '' });
    assert.deepEqual([mail.subject, mail.text.trim(), mail.html], ['', '', '']);
  }
  assert.equal((await deliver({}, { subject: undefined })).subject, '');
});

test('an attachment arrives whole from base64 with any padding or line breaks, under any content type', async () => {
  const contents = ['YWJjZA==', 'YWJjZA', 'YWJjZA=', 'YWJjZA===', 'YWJj\r\nZA==\n', 'YWJj\\nZA==\\n', 'YW Jj ZA'];
  const types = [
    'text/plain',
    'fg',
    'PDF document',
    'a/b; c=d',
    'x/y\r\nX-Evil: 1',
    '/',
    '\u2028',
    'Multipart/mixed',
    'image/svg+xml',
  ];
  const attachments = [
    ...contents.map((content) => attachment({ content })),
    ...types.map((contentType) => attachment({ content: 'YWJjZA==', contentType })),
  ];
  const mail = await deliver({ attachments });
  assert.deepEqual(
    mail.attachments.map(({ size }: { size: number }) => size),
    attachments.map(() => 4),
  );
  assert.equal(mail.attachments.at(-1).contentType, 'image/svg+xml');
  assert.equal(mail.headers['X-Evil'], undefined);
});

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
  for (const name of ['Bcc', 'Cc', 'Sender', 'Received', 'DKIM-Signature', 'constructor'])
    assert.ok(!Object.hasOwn(headers, name), name);
  assert.notEqual(headers.Date, 'x');
  assert.notEqual(headers['Message-ID'], '<x@y>');
  assert.equal(headers['X-Ward'], '7');
  assert.equal(headers['List-Unsubscribe'], '<https://example.org/u>');
  assert.equal(headers.References, '<r@example.org>');
});

test('header names ignore case', async () => {
  const mail = await deliver({
    headers: { From: 'clinic@example.org', SUBJECT: 'Loud', 'Reply-To': 'Desk <desk@example.org>' },
  });
  assert.equal(mail.from, 'clinic@example.org');
  assert.equal(mail.subject, 'Loud');
  assert.equal(mail.headers['Reply-To'], 'Desk <desk@example.org>');
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
      { attachments: [attachment({ fileName: bad, contentId: bad, disposition: bad })] },
      { subject: bad, 'X-Ward': bad, 'List-Help': bad },
    );
    assert.ok(!Object.keys(mail.headers).some((name) => name.toLowerCase().startsWith('x-evil')), JSON.stringify(bad));
    assert.deepEqual(
      mail.attachments.map(({ size }: { size: number }) => size),
      [3],
    );
  }
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
  for (const replyTo of ['x', 'a@b.test, c@d.test'])
    assertRefused(await send({ headers: { ...HEADERS, 'reply-to': replyTo } }), 400, replyTo);
  for (const headers of [undefined, null, {}, [], '']) assertRefused(await send({ headers }), 400, headers);
});

test('an unknown template is 404, beside the message or inside it', async () => {
  const stored = await storedMessages();
  for (const id of [1, '1', 'welcome', 0, '0']) {
    assertRefused(await send({}, { template_id: id, template_variables: { a: 1 } }), 404, id);
    assertRefused(await send({ template_id: id, template_variables: { a: 1 } }), 404, id);
  }
  assert.equal(await storedMessages(), stored);
});

test('an invalid access token has its own title and status', async () => {
  const { status, body } = await app.request('POST', PATH, { key: 'nonsense', body: { data: { message: message() } } });
  assert.equal(status, 401);
  const { details, ...error } = body.errors[0];
  assert.deepEqual(error, { code: 401, title: 'Invalid Access Token', status: 'invalid_access_token' });
  assert.equal(typeof details, 'string');
});

test('unknown properties are ignored everywhere', async () => {
  const unknown = { unknown: { deep: [1] }, errors: 'x', id: 7, customer_id: 7 };
  const body = {
    ...unknown,
    data: {
      ...unknown,
      override_open_tracking: true,
      unsubscribe_url: 'https://example.org/u',
      message: {
        ...message({ content: { 'text/plain': 'Here.', 'text/calendar': 'x' } }),
        ...unknown,
        attachments: [{ ...attachment(), ...unknown }],
      },
    },
  };
  assertAccepted(await app.request('POST', PATH, { key: customer.key, body }));
});

function greetingTo(to: string): string {
  return JSON.stringify({
    data: { message: message({ recipients: [to], headers: { ...HEADERS, subject: 'Grüße' } }) },
  });
}

test('a body is read in UTF-8 or, undeclared, in ISO-8859-1', async () => {
  const ways: [contentType: string | undefined, encoding: 'utf8' | 'latin1'][] = [
    ['application/json', 'utf8'],
    ['application/json', 'latin1'],
    ['application/json; charset=iso-8859-1', 'latin1'],
    ['application/json; charset=UTF-8', 'utf8'],
    ['application/json;charset="utf-8"', 'utf8'],
    ['application/vnd.api+json', 'utf8'],
    [undefined, 'utf8'],
    [undefined, 'latin1'],
  ];
  for (const [index, [contentType, encoding]] of ways.entries()) {
    const to = `encoded-${index}@example.com`;
    const reply = await app.request('POST', PATH, {
      key: customer.key,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
      raw: Buffer.from(greetingTo(to), encoding),
    });
    assertAccepted(reply, [contentType, encoding]);
    assert.equal((await arrived(to)).subject, 'Grüße', `${contentType} ${encoding}`);
  }
  const invalid = await app.request('POST', PATH, {
    key: customer.key,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    raw: Buffer.from(greetingTo('ann@example.com'), 'latin1'),
  });
  assertRefused(invalid, 400);
});

test('exactly 50 MB of attachments are accepted, one byte more is 413', async (t) => {
  const roomy = await startApp(t);
  const { key } = await roomy.createCustomer();
  const half = base64(Buffer.alloc(25 * MB, 'abc'));
  const [head = '', tail = ''] = JSON.stringify({ data: { message: message({ attachments: ['HERE'] }) } }).split(
    '"HERE"',
  );
  const halves = [half, half].map((content) => `{"fileName":"half.bin","content":"${content}"}`).join(',');
  const whole = Buffer.from(`${head}${halves}${tail}`);
  const sendRaw = (raw: Buffer) =>
    roomy.request('POST', PATH, { key, headers: { 'content-type': 'application/json' }, raw });
  assertAccepted(await sendRaw(whole));
  const oneMore = Buffer.from(`,{"fileName":"one.bin","content":"YQ=="}`);
  const end = whole.length - tail.length;
  assertRefused(await sendRaw(Buffer.concat([whole.subarray(0, end), oneMore, whole.subarray(end)])), 413);
});
