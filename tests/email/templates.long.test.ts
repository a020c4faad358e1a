import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { whileHeld } from '../marketing/support.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { messageTo, receiptOf, sandboxCopy, send } from '../support/mail.ts';

let app: TestApp;
let customer: TestCustomer;
let counter = 0;

before(async (context) => {
  app = await startApp(context as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
  customer = await app.createCustomer();
});

const PATH = '/v1/email/dynamic_templates';

function ask(method: string, path = '', body?: unknown): Promise<Reply> {
  return app.request(method, PATH + path, { key: customer.key, ...(body === undefined ? {} : { body }) });
}

async function create(body: string, more: Record<string, unknown> = {}): Promise<{ id: number; name: string }> {
  const name = `template ${(counter += 1)}`;
  const made = await ask('POST', '', { data: { name, body, ...more } });
  assert.equal(made.status, 201, made.text);
  return { id: made.body.id, name };
}

test('a template is made from JSON in both shapes and from a form with a file', async () => {
  const json = await ask('POST', '', { name: 'flat', body: '<p>{{a}}</p>' });
  assert.equal(json.status, 201);
  assert.equal(json.body.message, 'Template flat created!');
  assert.equal(json.body.params.name, 'flat');
  assert.equal(typeof json.body.id, 'number');
  const form = new FormData();
  form.append('data[name]', 'from a file');
  form.append('data[body]', new Blob(['<p>Grüße {{a}}</p>'], { type: 'text/html' }), 'body.html');
  const posted = await fetch(app.url + PATH, {
    method: 'POST',
    headers: { authorization: `Token token=${customer.key}` },
    body: form,
  });
  assert.equal(posted.status, 201);
  const { id } = (await posted.json()) as { id: number };
  const read = await ask('GET', `/${id}`);
  assert.equal(read.body.body, '<p>Grüße {{a}}</p>');
  assert.deepEqual(read.body.metadata, {});
  assert.deepEqual(read.body.variables, ['a']);
  const { body: list } = await ask('GET');
  assert.deepEqual(
    list.find((each: { id: number }) => each.id === id),
    { id, name: 'from a file', api_customer_id: customer.id },
  );
});

/** Posts a form and answers the template that it made. */
async function createBy(type: string, body: string | Uint8Array<ArrayBuffer>): Promise<Reply['body']> {
  const headers = { authorization: `Bearer ${customer.key}`, 'content-type': type };
  const reply = await fetch(app.url + PATH, { method: 'POST', headers, body });
  assert.equal(reply.status, 201);
  return (await ask('GET', `/${((await reply.json()) as { id: number }).id}`)).body;
}

test('a file is read as it is written, whatever its part says of that', async () => {
  const text = '<p>Grüße {{a}} für {{b}}</p>';
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  const ways: [string, Buffer, string][] = [
    ['ISO-8859-1', Buffer.from(text, 'latin1'), 'text/html'],
    ['UTF-8', Buffer.from(text), 'text/html; charset=ISO-8859-1'],
    ['UTF-8 with a mark', Buffer.concat([mark, Buffer.from(text)]), 'text/html'],
  ];
  for (const [way, bytes, type] of ways) {
    for (const fileName of ['body.html', undefined]) {
      const boundary = 'a-boundary';
      const named = fileName === undefined ? '' : `; filename="${fileName}"`;
      const name = `file in ${way} ${fileName} für`;
      const body = Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="data[name]"\r\n\r\n${name}\r\n`),
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="data[body]"${named}\r\n`),
        Buffer.from(`Content-Type: ${type}\r\n\r\n`),
        bytes,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]);
      const read = await createBy(`multipart/form-data; boundary=${boundary}`, body);
      assert.deepEqual([read.name, read.body], [name, text], `${way} ${fileName}`);
    }
  }
  const form = 'application/x-www-form-urlencoded';
  for (const [way, spelt] of [
    ['windows-1252', 'f%FCr+%26%2B%80'],
    ['UTF-8', 'f%C3%BCr+%26%2B%E2%82%AC'],
    ['raw UTF-8', 'für+%26%2B€'],
    ['UTF-8 with a mark', '%EF%BB%BFf%C3%BCr+%26%2B%E2%82%AC'],
  ] as const) {
    const read = await createBy(form, `data[name]=form+in+${way}&data%5Bbody%5D=${spelt}`);
    assert.deepEqual([read.name, read.body], [`form in ${way}`, 'für &+€'], way);
  }
});

test('what does not parse is refused with its place and leaves nothing behind', async () => {
  const earlier = (await ask('GET')).body.length;
  const refused = await ask('POST', '', { name: 'broken', body: '<p>\n {{#if x}}\n</p>' });
  assert.equal(refused.status, 400);
  assert.match(refused.body.error, /body: line \d+, column \d+/);
  assert.equal(refused.body.errors[0].details, refused.body.error);
  for (const body of ['{{> partial}}', '{{lookup a b}}', '<a href="javascript:{{x}}">', '{{#each}}{{/each}}']) {
    assert.equal((await ask('POST', '', { name: 'broken', body })).status, 400, body);
  }
  const missing = await ask('POST', '', { name: 'no body' });
  assert.deepEqual([missing.status, missing.body.error], [400, 'body: is required']);
  assert.equal((await ask('POST', '', { body: 'x' })).body.error, 'name: is required');
  assert.equal((await ask('GET')).body.length, earlier);
  const { id, name } = await create('<p>ok</p>');
  assert.equal((await ask('POST', '', { name, body: 'x' })).status, 422, 'a name is taken once');
  assert.equal((await ask('PATCH', `/${id}`, { body: '{{#if}}' })).status, 400);
  assert.equal((await ask('GET', `/${id}`)).body.version, 1);
});

test('another text is another version, and messages keep the one they were sent with', async () => {
  const { id, name } = await create('<p>first {{who}}</p>');
  const beside = { template_id: name, template_variables: { who: '<b>' }, override_open_tracking: false };
  const first = await send(app, customer.key, messageTo('a@example.com'), beside);
  const patched = await ask('PATCH', `/${id}`, { data: { body: '<p>second {{who}}</p>' } });
  assert.deepEqual([patched.status, patched.body.message], [200, `Template ${name} updated!`]);
  const second = await send(app, customer.key, messageTo('a@example.com'), { ...beside, template_id: id });
  assert.equal((await ask('PUT', `/${id}`, { name: `${name} renamed` })).status, 200);
  assert.equal((await ask('GET', `/${id}`)).body.version, 2, 'a name is no version');

  assert.equal((await sandboxCopy(app, customer.key, first)).html.trim(), '<p>first &lt;b&gt;</p>');
  assert.equal((await sandboxCopy(app, customer.key, second)).html.trim(), '<p>second &lt;b&gt;</p>');
  assert.deepEqual((await receiptOf(app, customer.key, first)).body.data.message.template, { id, version: 1 });
  assert.deepEqual((await receiptOf(app, customer.key, second)).body.data.message.template, { id, version: 2 });
  const versions = (await ask('GET', `/${id}/versions`)).body.data;
  assert.deepEqual(
    versions.map((each: { version: number; body: string }) => [each.version, each.body]),
    [
      [2, '<p>second {{who}}</p>'],
      [1, '<p>first {{who}}</p>'],
    ],
  );
  assert.deepEqual((await ask('DELETE', `/${id}`)).body, { message: `Template ${name} renamed deleted!` });
  assert.equal((await ask('GET', `/${id}`)).status, 404);
  const gone = await app.request('POST', '/v1/email/messages', {
    key: customer.key,
    body: { data: { message: messageTo('a@example.com'), template_id: id } },
  });
  assert.equal(gone.status, 404);
});

test('what a change leaves null or blank stays as it is', async () => {
  const { id, name } = await create('<p>first</p>', { strict: true, subject: 'Hello' });
  const form = new FormData();
  form.append('data[name]', '');
  form.append('data[body]', new Blob(['<p>second</p>'], { type: 'text/html' }), 'body.html');
  const headers = { authorization: `Token token=${customer.key}` };
  const sent = await fetch(`${app.url}${PATH}/${id}`, { method: 'PATCH', headers, body: form });
  assert.equal(sent.status, 200, await sent.text());
  const stored = async () => {
    const { body } = await ask('GET', `/${id}`);
    return [body.name, body.body, body.strict, body.subject];
  };
  assert.deepEqual(await stored(), [name, '<p>second</p>', true, 'Hello']);
  for (const data of [
    { name: null, body: '<p>third</p>', strict: null },
    { name: ' ', body: null },
    { name: null, body: '' },
  ]) {
    const { status, text } = await ask('PATCH', `/${id}`, { data });
    assert.equal(status, 200, text);
    assert.deepEqual(await stored(), [name, '<p>third</p>', true, 'Hello']);
  }
  assert.equal((await ask('PATCH', `/${id}`, { name: `${name} two`, body: '', subject: '' })).status, 200);
  assert.deepEqual(await stored(), [`${name} two`, '<p>third</p>', true, null]);
  const missing = await ask('POST', '', { data: { name: null, body: 'x' } });
  assert.deepEqual([missing.status, missing.body.error], [400, 'name: is required']);
});

test('changes at the same time make one version each', async () => {
  const { id } = await create('<p>0</p>');
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) => ask('PATCH', `/${id}`, { body: `<p>change ${index}</p>` })),
  );
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  assert.equal((await ask('GET', `/${id}`)).body.version, 9);
});

test('of two who take a template away at the same moment one finds it gone', async () => {
  const { id } = await create('<p>0</p>');
  const replies: Reply[] = [];
  const takeAway = async () => replies.push(await ask('DELETE', `/${id}`));
  await whileHeld(app, ['select from dynamic_templates where id = $1 for update', [id]], [takeAway, takeAway]);
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200, 404]));
});

test('a template writes HTML and, where none was sent, the subject; text stays', async () => {
  const { id } = await create('<p>{{x}}</p>', { subject: 'For {{who}}' });
  const variables = JSON.stringify({ x: '{{x}}', who: 'Ann\r\nBcc: evil@example.com' });
  const content = { 'text/html': '<p>sent</p>', 'text/plain': 'Plain.' };
  const beside = { template_id: String(id), template_variables: variables, override_open_tracking: false };
  const headers = { from: 'clinic@example.org' };
  const one = await send(app, customer.key, messageTo('b@example.com', { headers, content }), beside);
  const copy = await sandboxCopy(app, customer.key, one);
  assert.equal(copy.html.trim(), '<p>{{x}}</p>', 'values are not parsed again');
  assert.equal(copy.text.trim(), 'Plain.');
  assert.equal(copy.subject.replace(/ +/g, ' '), 'For Ann Bcc: evil@example.com');
  assert.equal('Bcc' in copy.headers, false);
  const inside = messageTo('b@example.com', { template_id: id, template_variables: { x: 1 } });
  const two = await send(app, customer.key, inside, { override_open_tracking: false });
  assert.equal((await sandboxCopy(app, customer.key, two)).subject, 'Your visit');
});

const withSubject = (subject: string) =>
  messageTo('e@example.com', { content: {}, headers: { from: 'clinic@example.org', subject } });

test('a subject that the message has itself is filled in as the template is', async () => {
  const { name } = await create('<p>{{visit}}</p>', { subject: 'Not this one' });
  const strict = await create('<p>x</p>', { strict: true });
  const template_values = { who: 'Ann\r\nBcc: x', visit: 'Monday' };
  const sendAs = (subject: string, template_name = name) =>
    sendTemplated({ template_name, template_values, message: withSubject(subject) });
  const subjectOf = async ({ body }: Reply) => (await sandboxCopy(app, customer.key, body.sourceTrackingId)).subject;
  assert.equal((await subjectOf(await sendAs('For {{who}}'))).replace(/ +/g, ' '), 'For Ann Bcc: x');
  assert.equal(await subjectOf(await sendAs('For {{nobody}}all')), 'For all');
  for (const [reply, details] of [
    [await sendAs('For {{nobody}}', strict.name), 'template_variables: missing nobody'],
    [await sendAs('For {{#if'), 'headers.subject: line 1'],
  ] as const) {
    assert.deepEqual([reply.status, reply.body.errors[0].details.slice(0, details.length)], [400, details]);
  }
  const plain = await send(app, customer.key, withSubject('For {{who}}'));
  assert.equal((await sandboxCopy(app, customer.key, plain)).subject, 'For {{who}}', 'without a template');
});

test('a value that looks like an encoded word stands in the subject as it is', async () => {
  const { id } = await create('<p>x</p>', { subject: 'For {{who}}' });
  const who = '=?utf-8?q?Your_test_is_positive=0D=0ABcc:_x?=';
  const headers = { from: 'clinic@example.org' };
  const message = messageTo('b@example.com', { headers, template_id: id, template_variables: { who } });
  const sent = await send(app, customer.key, message);
  assert.equal((await sandboxCopy(app, customer.key, sent)).subject, `For ${who}`);
  const { body } = await app.request('GET', '/v1/email/message_log', { key: customer.key });
  const { subject } = body.data.find((each: { sourceTrackingId: string }) => each.sourceTrackingId === sent);
  assert.equal(subject, `For ${who}`, 'nor do people read it encoded in the log');
});

test('variables beside a message that say nothing leave those within it', async () => {
  const { id } = await create('<p>[{{a}}]</p>');
  const untracked = { override_open_tracking: false };
  for (const nothing of [undefined, null, '', '{}', 'null', [], {}]) {
    const inside = messageTo('d@example.com', { template_variables: { a: 'inner' } });
    const sent = await send(app, customer.key, inside, { template_id: id, template_variables: nothing, ...untracked });
    assert.equal((await sandboxCopy(app, customer.key, sent)).html.trim(), '<p>[inner]</p>', JSON.stringify(nothing));
  }
  const both = messageTo('d@example.com', { template_variables: { a: 'inner' } });
  const sent = await send(app, customer.key, both, {
    template_id: id,
    template_variables: { a: 'outer' },
    ...untracked,
  });
  assert.equal((await sandboxCopy(app, customer.key, sent)).html.trim(), '<p>[outer]</p>');
});

test('a template is found by its name with spaces around it, as it is made', async () => {
  const { name } = await create('<p>found</p>');
  const message = messageTo('e@example.com');
  for (const [path, choice] of [
    ['messages', { template_id: ` ${name}\n` }],
    ['templated_messages', { template_name: ` ${name} ` }],
  ] as const) {
    const body = { data: { message, ...choice } };
    const { status, text } = await app.request('POST', `/v1/email/${path}`, { key: customer.key, body });
    assert.equal(status, 200, text);
  }
});

test('a strict template wants the variables of its subject only where that is used', async () => {
  const { id } = await create('<p>{{a}}</p>', { strict: true, subject: 'For {{who}}' });
  assert.equal((await sendWith(id, { a: 1 })).status, 200, 'the message has a subject');
  const message = messageTo('f@example.com', { headers: { from: 'clinic@example.org' } });
  const body = { data: { message, template_id: id, template_variables: { a: 1 } } };
  const refused = await app.request('POST', '/v1/email/messages', { key: customer.key, body });
  assert.deepEqual([refused.status, refused.body.errors[0].details], [400, 'template_variables: missing who']);
});

function sendWith(id: number, variables: unknown): Promise<Reply> {
  return app.request('POST', '/v1/email/messages', {
    key: customer.key,
    body: { data: { message: messageTo('c@example.com'), template_id: id, template_variables: variables } },
  });
}

test('a strict template wants every variable, another takes what is missing as empty', async () => {
  const strict = await create('<p>{{a}}{{b.c}}</p>', { strict: true });
  const lenient = await create('<p>[{{a}}]</p>');
  const refused = await sendWith(strict.id, { a: 'SECRET' });
  assert.equal(refused.status, 400);
  assert.match(refused.body.errors[0].details, /missing b\.c/);
  assert.ok(!refused.text.includes('SECRET'));
  assert.equal((await sendWith(strict.id, { a: 1, b: { c: 2 } })).status, 200);
  assert.equal((await sendWith(lenient.id, null)).status, 200);
  for (const wrong of ['{', '[1]', '7', [1], 7, true]) assert.equal((await sendWith(lenient.id, wrong)).status, 400);
});

test('a preview renders sample values, sends nothing and names what is missing', async () => {
  const { id } = await create('<p>{{a}} {{{raw}}} {{missing}}</p>', { allow_raw_html: true, subject: 'S {{a}}' });
  const { status, body } = await ask('POST', `/${id}/preview`, { template_variables: { a: '<', raw: '<i>i</i>' } });
  assert.equal(status, 200);
  const variables = ['a', 'missing', 'raw'];
  assert.deepEqual(body, { subject: 'S <', html: '<p>&lt; <i>i</i> </p>', missing: ['missing'], variables });
});

test('values that would make a bomb of a template are refused', async () => {
  const { id } = await create('{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}');
  const message = messageTo('d@example.com');
  const template_variables = { a: Array.from({ length: 1_000 }, () => 1) };
  const { status, body } = await app.request('POST', '/v1/email/messages', {
    key: customer.key,
    body: { data: { message, template_id: id, template_variables } },
  });
  assert.equal(status, 400);
  assert.match(body.errors[0].details, /^template_variables: /);
});

function sendTemplated(data: Record<string, unknown>): Promise<Reply> {
  return app.request('POST', '/v1/email/templated_messages', {
    key: customer.key,
    body: { data: { message: messageTo('e@example.com', { content: {} }), override_open_tracking: false, ...data } },
  });
}

async function htmlOf({ status, body, text }: Reply): Promise<string> {
  assert.equal(status, 200, text);
  return (await sandboxCopy(app, customer.key, body.sourceTrackingId)).html.trim();
}

test('POST /templated_messages takes a name and values as an object, as JSON text, or none', async () => {
  const { name } = await create('<p>Hi {{who}}</p>');
  const template_name = name;
  const values = { who: 'Ann' };
  assert.equal(await htmlOf(await sendTemplated({ template_name, template_values: values })), '<p>Hi Ann</p>');
  const text = JSON.stringify(values);
  assert.equal(await htmlOf(await sendTemplated({ template_name, template_values: text })), '<p>Hi Ann</p>');
  assert.equal(await htmlOf(await sendTemplated({ template_name, template_values: 'null' })), '<p>Hi </p>');
  assert.equal(await htmlOf(await sendTemplated({ template_name })), '<p>Hi </p>');
  for (const content of ['none', 5, { 'text/html': 5 }, [1]]) {
    const message = messageTo('e@example.com', { content });
    assert.equal(await htmlOf(await sendTemplated({ template_name, message })), '<p>Hi </p>', 'content is ignored');
  }
  const written = messageTo('e@example.com', { content: { 'text/plain': 'Ignored.' } });
  const { body } = await sendTemplated({ template_name, message: written });
  assert.equal((await sandboxCopy(app, customer.key, body.sourceTrackingId)).text.includes('Ignored'), false);
  assert.equal((await sendTemplated({ template_name: 'nowhere' })).status, 404);
  assert.equal((await sendTemplated({ template_name: ' ' })).status, 400);
  assert.equal((await sendTemplated({ template_name, template_values: '{bad' })).status, 400);
});
