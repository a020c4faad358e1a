import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlaced } from '../../src/email/submission/sealed-message.ts';
import { type Reply, startApp } from '../support/app.ts';
import {
  app,
  arrived,
  assertAccepted,
  assertRefused,
  attachment,
  customer,
  deliver,
  HEADERS,
  mails,
  message,
  PATH,
  send,
  startSender,
  storedMessages,
} from '../support/sender.ts';

const MB = 2 ** 20;

startSender();

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
  'a word whose length no base64 has': ['Questions', 'Questions'],
  'a word whose last letter no encoder writes': ['TWFuTWFuTX', 'TWFuTWFuTX'],
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

test('a flag that has an effect takes no word that is neither yes nor no', async () => {
  for (const name of ['forceSecureNotification', 'force_secure_notification', 'override_open_tracking']) {
    assertRefused(await send({ [name]: 'banana' }), 400, name);
  }
  assertRefused(await send({}, { override_link_tracking: 'banana' }), 400, 'override_link_tracking');
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

test('the name and type of an attachment are accepted in either spelling, the first of them before the other', async () => {
  const file = { content: 'YWJj' };
  const attachments = [
    { ...file, file_name: 'scan.pdf', content_type: 'application/pdf' },
    { ...file, fileName: 'a.png', contentType: 'image/png', file_name: 'scan.pdf', content_type: 'application/pdf' },
    { ...file, fileName: null, contentType: '', file_name: 'b.gif', content_type: 'image/gif' },
    { ...file, file_name: null, content_type: [] },
  ];
  const mail = await deliver({ attachments });
  assert.deepEqual(
    mail.attachments.map(({ fileName, contentType }: Record<string, string>) => [fileName, contentType]),
    [
      ['scan.pdf', 'application/pdf'],
      ['a.png', 'image/png'],
      ['b.gif', 'image/gif'],
      ['attachment-4', 'application/octet-stream'],
    ],
  );
  for (const name of ['fileName', 'file_name']) {
    const refused = await send({ attachments: [{ ...file, [name]: 'a\nb' }] });
    assertRefused(refused, 400, name);
    assert.ok(refused.body.errors[0].details.startsWith(`attachments[0].${name}: `), name);
  }
});

test('a content type keeps its method and charset, and disposition ignores case', async () => {
  const attachments = [
    attachment({ contentType: 'text/calendar; method=REQUEST; charset="utf-8"; x=y' }),
    attachment({ contentType: 'application/pdf ', disposition: 'Inline' }),
    attachment({ contentType: 'text/calendar; method="a\r\nX-Evil: 1"' }),
  ];
  const { body } = await send({ attachments });
  const { vault, db } = app.installation;
  const { id, sealed } = await db.tenant([customer.id], (tx) =>
    tx
      .selectFrom('message_contents')
      .select(['id', 'sealed'])
      .where('id', '=', body.sourceTrackingId)
      .executeTakeFirstOrThrow(),
  );
  const kept = openPlaced(await vault.of(customer.id), id, sealed).attachments;
  assert.deepEqual(
    kept.map(({ contentType, inline }) => [contentType, inline]),
    [
      ['text/calendar; method=REQUEST; charset=utf-8', false],
      ['application/pdf', true],
      ['text/calendar', false],
    ],
  );
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
