import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import {
  askForm,
  assertRefuses,
  changeForm,
  FORMS,
  makeForm,
  makeList,
  postForm,
  readForm,
  tally,
} from './form-requests.ts';

const BASES = ['/v1/forms', '/forms', ''];
const MOST_INT = 2 ** 31 - 1;
const LARGEST_FIRST_VERSION = 1_000_000_000;

const clock = createMovableClock();
let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
});

const countForms = async (customer: TestCustomer): Promise<number> =>
  (await app.request('GET', `${FORMS}?customer_id=${customer.id}`, { key: customer.key })).body.page_info.count;

test('a form is made with nothing but its id for an answer, and read back with every field, on every base', async () => {
  const customer = await app.createCustomer();
  const listId = await makeList(app, customer);
  const fields = {
    title: 'Größe "A" ☤',
    description: 'First visit\nsecond line',
    form_html: '<form>\u2028</form>',
    form_json: { body: [{ type: 'text', id: 'a', label: 'Größe ☤' }] },
    form_css: 'p { color: red }',
    version: 7,
    active: true,
    old_form_id: 12,
    recipient: 'a@example.com,b@example.com',
    signable: true,
    signature_confirmation_label: 'I agree',
    type: 'marketing_form',
    subscription_list_id: String(listId),
  };
  for (const [index, base] of BASES.entries()) {
    const named = { ...fields, vanity_url: `intake-${customer.id}-${index}` };
    const made = await app.request('POST', `${base}/api/forms`, {
      key: customer.key,
      body: { ...named, customer_id: customer.id },
    });
    assert.equal(made.status, 200);
    assert.deepEqual(Object.keys(made.body), ['id']);
    assert.match(made.body.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const { status, body } = await app.request('GET', `${base}/api/forms/${made.body.id}`, { key: customer.key });
    assert.equal(status, 200);
    const now = clock.now().toISOString();
    const rest = { customer_id: customer.id, submission_count: 0, deleted: false, archived: false };
    const times = { created_at: now, updated_at: now };
    assert.deepEqual(body, { data: { id: made.body.id, ...named, ...rest, ...times } });
  }
});

test('what is left out or null is empty, and the form is neither public nor signed', async () => {
  const customer = await app.createCustomer();
  const names =
    `description form_html form_css recipient signable signature_confirmation_label subscription_list_id type
    vanity_url active version old_form_id`.split(/\s+/);
  for (const fields of [{}, Object.fromEntries(names.map((name) => [name, null]))]) {
    const form = await readForm(app, customer, await makeForm(app, customer, fields));
    const { id: _id, created_at: _created, updated_at: _updated, ...rest } = form;
    assert.deepEqual(rest, {
      ...Object.fromEntries(names.map((name) => [name, null])),
      title: 'Intake',
      form_json: {},
      version: 1,
      active: false,
      signable: false,
      customer_id: customer.id,
      submission_count: 0,
      deleted: false,
      archived: false,
    });
  }
});

test('numbers and flags may come as text, as clients send them', async () => {
  const customer = await app.createCustomer();
  const listId = await makeList(app, customer);
  const id = await makeForm(app, customer, {
    customer_id: String(customer.id),
    version: '3',
    old_form_id: '99',
    active: 'true',
    signable: 1,
    subscription_list_id: listId,
  });
  const { version, old_form_id: old, active, signable, subscription_list_id: list } = await readForm(app, customer, id);
  assert.deepEqual(
    { version, old, active, signable, list },
    {
      version: 3,
      old: 99,
      active: true,
      signable: true,
      list: String(listId),
    },
  );
});

test('title, form_json and customer_id are required, and each is named where it is missing or of the wrong type', async () => {
  const customer = await app.createCustomer();
  const whole: Record<string, unknown> = { title: 'Intake', form_json: {}, customer_id: customer.id };
  const wrong: Record<string, unknown[]> = {
    title: [undefined, null, 5, {}, '', ' ', '\t\n\u00a0\u3000'],
    form_json: [undefined, null, '', '{}', [], 5, true],
    customer_id: [undefined, null, '', 'x', 1.5, `${customer.id}x`, {}, [customer.id]],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const reply = await app.request('POST', FORMS, { key: customer.key, body: { ...whole, [name]: value } });
      assertRefuses(reply, 400, name, `${name} ${JSON.stringify(value)}: ${reply.text}`);
    }
  }
  for (const raw of ['', 'null', '[]', '"x"', '{']) {
    const headers = { 'content-type': 'application/json' };
    assert.equal((await app.request('POST', FORMS, { key: customer.key, headers, raw })).status, 400, raw);
  }
  assert.equal(await countForms(customer), 0);
});

const LIMITS: [field: string, most: number][] = [
  ['title', 500],
  ['description', 10_000],
  ['form_html', 1_048_576],
  ['form_css', 1_048_576],
  ['signature_confirmation_label', 10_000],
  ['type', 100],
];

for (const [field, most] of LIMITS) {
  test(`${field} takes ${most} characters and not one more, when made and when changed`, async () => {
    const customer = await app.createCustomer();
    const id = await makeForm(app, customer);
    for (const length of [most - 1, most]) {
      const text = 'é'.repeat(length);
      assert.equal((await readForm(app, customer, await makeForm(app, customer, { [field]: text })))[field], text);
      await changeForm(app, customer, id, { [field]: text });
      assert.equal((await readForm(app, customer, id))[field], text);
    }
    const change = { [field]: 'x'.repeat(most + 1) };
    assertRefuses(await postForm(app, customer, change), 400, field, 'made');
    assertRefuses(await askForm(app, customer, `PUT ${id}`, change), 400, field, 'changed');
  });
}

test('version and old_form_id are numbers from 1 up, and are named where they are wrong', async () => {
  const customer = await app.createCustomer();
  const largest = { version: LARGEST_FIRST_VERSION, old_form_id: MOST_INT };
  for (const [field, most] of Object.entries(largest)) {
    for (const right of [1, 2, most, String(most)]) {
      const id = await makeForm(app, customer, { [field]: right });
      assert.equal((await readForm(app, customer, id))[field], Number(right));
    }
    const tooLarge = [most + 1, String(most + 1), 2 ** 31, String(2 ** 31), '9'.repeat(10), '9'.repeat(11), 1e300];
    for (const wrong of [...tooLarge, -1, 1.5, '', 'x', '01', '00', true]) {
      const reply = await postForm(app, customer, { [field]: wrong });
      assertRefuses(reply, 400, field, `${field} ${JSON.stringify(wrong)}: ${reply.text}`);
    }
  }
});

test('a version of 0 is none, as clients send it whose languages have no empty numbers', async () => {
  const customer = await app.createCustomer();
  for (const none of [0, '0']) {
    const id = await makeForm(app, customer, { version: none, old_form_id: none, submission_count: 0 });
    const { version, old_form_id: old, submission_count: count } = await readForm(app, customer, id);
    assert.deepEqual([version, old, count], [1, null, 0]);
    await changeForm(app, customer, id, { title: 'Changed', version: none, submission_count: 0 });
    assert.equal((await readForm(app, customer, id)).title, 'Changed');
  }
});

test('a form that begins with the highest version can still be changed', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer, { version: LARGEST_FIRST_VERSION });
  await changeForm(app, customer, id, { form_css: 'p {}', version: LARGEST_FIRST_VERSION });
  assert.equal((await readForm(app, customer, id)).version, LARGEST_FIRST_VERSION + 1);
});

const big = (length: number) => ({ form_json: { text: 'x'.repeat(length) } });

test('the body as a whole may have 4 MiB', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer, big(4 * 2 ** 20 - 1000));
  assert.equal((await readForm(app, customer, id)).form_json.text.length, 4 * 2 ** 20 - 1000);
  assertRefuses(await postForm(app, customer, big(4 * 2 ** 20)), 413);
});

test('form_json comes back as it was sent, in the order of its keys', async () => {
  const customer = await app.createCustomer();
  const deep = `${'{"a":['.repeat(30)}null${']}'.repeat(30)}`;
  for (const sent of [
    '{}',
    '{"b":1,"a":2,"C":3,"":4}',
    '{"ﬁ":"é","e\u0301":"☤😀\u2028","ключ":"值"}',
    String.raw`{"line\nbreak":1,"tab\t":"\n\t\r\"\\\/ \u0001"}`.replace(String.raw`\/`, '/'),
    '{"\u2028":1,"\u2029":2}',
    '{"n":[0,-1,1.5,1e-7,1e+21,9007199254740991,0.1]}',
    '{"toJSON":1,"constructor":{"prototype":2},"length":3,"message":"m","errors":[]}',
    `{"deep":${deep},"list":[[],{},[[]],null,true,false,""]}`,
  ]) {
    const raw = `{"title":"T","customer_id":${customer.id},"form_json":${sent}}`;
    const headers = { 'content-type': 'application/json' };
    const made = await app.request('POST', FORMS, { key: customer.key, headers, raw });
    assert.equal(made.status, 200, sent);
    const { id } = made.body;
    const replies = [
      await askForm(app, customer, `GET ${id}`),
      await app.request('GET', `${FORMS}?customer_id=${customer.id}&form_id=${id}`, { key: customer.key }),
    ];
    for (const { text } of replies) assert.ok(text.includes(`"form_json":${sent},`), `${sent}\n${text}`);
  }
});

/** What the API takes of what JSON can write. */
const storable = (value: unknown) => !/\\u0000|\\u[dD][89a-fA-F]|__proto__/.test(JSON.stringify(value));

const holdsBackslashKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, inner]) => key.includes('\\') || holdsBackslashKey(inner));

test('any object that JSON can write is kept as form_json', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer);
  const anyKey = fc.string({ unit: 'binary', maxLength: 5 }).filter((key) => !key.includes('\\'));
  const anyValue = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
  const anyObject = fc.dictionary(anyKey, anyValue, { noNullPrototype: true }).filter(storable);
  await fc.assert(
    fc.asyncProperty(
      anyObject.filter((value) => !holdsBackslashKey(value)),
      async (json) => {
        await changeForm(app, customer, id, { form_json: json });
        assert.equal(JSON.stringify((await readForm(app, customer, id)).form_json), JSON.stringify(json));
      },
    ),
    { numRuns: 50 },
  );
});

test('a customer_id of somebody else is refused, whether that customer exists or not', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  for (const wanted of [stranger.id, String(stranger.id), 0, MOST_INT, '9999999999']) {
    assertRefuses(await postForm(app, customer, { customer_id: wanted }), 403);
  }
  assert.equal(await countForms(stranger), 0);
});

test('a word that says neither yes nor no is refused and changes nothing', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer, { active: true });
  const untouched = await readForm(app, customer, id);
  for (const name of ['active', 'signable']) {
    for (const word of ['banana', ' ', 'truee', '2', 'null']) {
      assertRefuses(await askForm(app, customer, `PUT ${id}`, { [name]: word }), 400, name, `${name} ${word}`);
      assertRefuses(await postForm(app, customer, { [name]: word }), 400, name, `${name} ${word}`);
    }
    assert.deepEqual(await readForm(app, customer, id), untouched);
    for (const [yes, no] of [
      ['TRUE', 'False'],
      ['1', '0'],
      ['Yes', 'no'],
      ['on', 'OFF'],
      [1, 0],
      [true, false],
    ]) {
      await changeForm(app, customer, id, { [name]: yes });
      assert.equal((await readForm(app, customer, id))[name], true);
      await changeForm(app, customer, id, { [name]: '' });
      assert.equal((await readForm(app, customer, id))[name], true);
      await changeForm(app, customer, id, { [name]: no });
      assert.equal((await readForm(app, customer, id))[name], false);
    }
    await changeForm(app, customer, id, { active: true });
  }
});

test('a form stays its customer’s, whom a change may name, and nobody else', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const id = await makeForm(app, customer);
  const untouched = await readForm(app, customer, id);
  const change = (wanted: unknown) =>
    askForm(app, customer, `PUT ${id}`, { description: 'changed', customer_id: wanted });
  for (const wanted of [stranger.id, String(stranger.id), MOST_INT, '9999999999']) {
    assertRefuses(await change(wanted), 403);
  }
  for (const wrong of ['', 'x', 1.5, `${customer.id}x`, {}, [customer.id], true]) {
    assertRefuses(await change(wrong), 400, 'customer_id', JSON.stringify(wrong));
  }
  assert.deepEqual(await readForm(app, customer, id), untouched);
  for (const own of [customer.id, String(customer.id), null, undefined, 0]) {
    assert.equal((await change(own)).status, 200);
    assert.equal((await readForm(app, customer, id)).customer_id, customer.id);
  }
});

test('a list of somebody else is refused with 403, one that exists nowhere with 404', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const foreign = await makeList(app, stranger);
  const id = await makeForm(app, customer, { subscription_list_id: await makeList(app, customer) });
  const untouched = await readForm(app, customer, id);
  for (const [listId, status] of [
    [foreign, 403],
    [String(foreign), 403],
    [999_999_999, 404],
    ['0', 404],
    ['x', 404],
    [randomUUID(), 404],
    ['9'.repeat(15), 404],
    ['9'.repeat(30), 404],
    [1e300, 404],
  ] as const) {
    const made = await postForm(app, customer, { subscription_list_id: listId });
    assertRefuses(made, status, 'subscription_list_id', `${listId}`);
    const reply = await askForm(app, customer, `PUT ${id}`, { title: 'New', subscription_list_id: listId });
    assertRefuses(reply, status, 'subscription_list_id', `${listId}`);
  }
  assert.deepEqual(await readForm(app, customer, id), untouched);
});

test('without a key of scope forms, sent as a bearer, nothing can be made, read or changed', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer);
  const { key: otherScopes } = await app.createKey(customer, ['email', 'marketing']);
  const body = { title: 'New', form_json: {}, customer_id: customer.id, form_id: id, retention_days: 1 };
  const calls = ['POST ', `GET /${id}`, `PUT /${id}`, 'POST /copy', `POST /${id}/archive`, `POST /${id}/unarchive`];
  const more = ['GET /stats', `GET /${id}/retention`, `PUT /${id}/retention`, `DELETE /${id}`];
  for (const call of [...calls, ...more]) {
    const [method = '', path = ''] = call.split(' ');
    for (const authorization of [
      undefined,
      `Token token=${customer.key}`,
      `Token token="${customer.key}"`,
      `Bearer ${otherScopes}`,
      `Bearer ${customer.key}x`,
      customer.key,
    ]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const sent = method === 'GET' ? {} : { body };
      const reply = await app.request(method, FORMS + path, { headers, ...sent });
      assertRefuses(reply, 401, undefined, `${call} ${authorization}`);
    }
  }
  assert.equal((await readForm(app, customer, id)).title, 'Intake');
  assert.equal(await countForms(customer), 1);
});

test('an Idempotency-Key makes or copies a form once; another body with it is a conflict', async () => {
  const customer = await app.createCustomer();
  const source = await makeForm(app, customer);
  const posts: [path: string, body: (title: string) => object][] = [
    [FORMS, (title) => ({ title, form_json: {}, customer_id: customer.id })],
    [`${FORMS}/copy`, (title) => ({ title, form_id: source })],
  ];
  for (const [path, bodyOf] of posts) {
    const headers = { 'idempotency-key': 'once' };
    const ask = (title: string) => app.request('POST', path, { key: customer.key, headers, body: bodyOf(title) });
    const known = await countForms(customer);
    const [first, second] = await Promise.all([ask('A'), ask('A')]);
    const third = await ask('A');
    assert.deepEqual([first.status, second.status, third.status], [200, 200, 200]);
    assert.deepEqual([second.body, third.body], [first.body, first.body]);
    assert.equal(third.headers.get('idempotency-replayed'), 'true');
    assertRefuses(await ask('B'), 409);
    assert.equal(await countForms(customer), known + 1);
  }
});

test('a vanity_url has 3 to 63 letters, digits and dashes, is kept in lower case and is not reserved', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer);
  const unique = `v${customer.id}`;
  for (const [given, kept] of [
    [`${unique}-Intake-2`, `${unique}-intake-2`],
    [` ${unique}A `, `${unique}a`],
    [`${unique}${'x'.repeat(63 - unique.length)}`, `${unique}${'x'.repeat(63 - unique.length)}`],
    ['abc', 'abc'],
    ['1-2', '1-2'],
  ]) {
    assert.equal(
      (await readForm(app, customer, await makeForm(app, customer, { vanity_url: given }))).vanity_url,
      kept,
    );
  }
  const misshapen = [
    'a',
    'ab',
    'x'.repeat(64),
    '-abc',
    'abc-',
    'a_b',
    'a b',
    'a.b',
    'a/b',
    'äbc',
    'abc\n-',
    'ａｂｃ',
    'a%62c',
  ];
  const reserved = ['api', 'forms', 'PUBLIC', ' admin ', 'well-known', 'null', 'undefined', randomUUID()];
  for (const wrong of [...misshapen, ...reserved, randomUUID().replaceAll('-', ''), 'x'.repeat(201), 5, {}]) {
    assertRefuses(await postForm(app, customer, { vanity_url: wrong }), 400, 'vanity_url', JSON.stringify(wrong));
    const change = await askForm(app, customer, `PUT ${id}`, { vanity_url: wrong });
    assertRefuses(change, 400, 'vanity_url', JSON.stringify(wrong));
  }
  assert.equal((await readForm(app, customer, id)).vanity_url, null);
});

test('a vanity_url is one form’s among all customers, in any case, until it is given up', async () => {
  const [customer, other] = [await app.createCustomer(), await app.createCustomer()];
  const name = `taken-${customer.id}`;
  const take = (by: TestCustomer) => postForm(app, by, { vanity_url: name.toUpperCase() });
  const holder = await makeForm(app, customer, { vanity_url: name });
  const rival = await makeForm(app, other);
  for (const by of [customer, other]) assertRefuses(await take(by), 409, 'vanity_url');
  assertRefuses(await askForm(app, other, `PUT ${rival}`, { vanity_url: name }), 409, 'vanity_url');
  assert.equal(await countForms(other), 1, 'a refused form is not there');
  await changeForm(app, customer, holder, { vanity_url: name });
  await askForm(app, customer, `POST ${holder}/archive`);
  assertRefuses(await take(other), 409, 'vanity_url');
  await askForm(app, customer, `DELETE ${holder}`);
  assert.equal((await take(other)).status, 200, 'free when the form is deleted');

  const second = `${name}-b`;
  const former = await makeForm(app, customer, { vanity_url: second });
  await changeForm(app, customer, former, { vanity_url: '' });
  await changeForm(app, other, rival, { vanity_url: second });
  assert.equal((await readForm(app, other, rival)).vanity_url, second, 'free when it is cleared');
});

test('of many who want a vanity_url at once, one gets it', async () => {
  const customers = [await app.createCustomer(), await app.createCustomer()] as const;
  const vanity = { vanity_url: `race-${customers[0].id}` };
  const asked = Array.from({ length: 20 }, (_, index) => postForm(app, customers[index % 2 === 0 ? 0 : 1], vanity));
  assert.deepEqual(tally(await Promise.all(asked)), { 200: 1, 409: 19 });
});

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `nurse${index}@example.com`);

test('recipients are addresses between commas, 50 at most, each of which mail can go to', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer);
  for (const [given, kept] of [
    ['a@example.com', 'a@example.com'],
    [' a@example.com , b@example.com,', 'a@example.com,b@example.com'],
    [addresses(50).join(), addresses(50).join()],
    ["o'neil+x@sub.example.co.uk", "o'neil+x@sub.example.co.uk"],
    [' , ,', null],
    ['', null],
  ] as const) {
    const made = await makeForm(app, customer, { recipient: given });
    assert.equal((await readForm(app, customer, made)).recipient, kept);
    await changeForm(app, customer, id, { recipient: given });
    assert.equal((await readForm(app, customer, id)).recipient, kept);
  }
  for (const wrong of [
    'x',
    'a@example.com,x',
    'a@example.com b@example.com',
    'a@example.com;b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com\nBcc:b@example.com,b@example.com',
    'a@example.com\rX: y',
    'Eve\r\nBcc: b@example.com <a@example.com>',
    'a@example.com\u2028b',
    'a@@example.com',
    '@example.com',
    'a@',
    'a@localhost',
    'a@[127.0.0.1]',
    '"a b"@example.com',
    `${'x'.repeat(65)}@example.com`,
    addresses(51).join(),
    'x'.repeat(10_001),
    ['a@example.com'],
    5,
  ]) {
    assertRefuses(await postForm(app, customer, { recipient: wrong }), 400, 'recipient', String(wrong));
    const change = await askForm(app, customer, `PUT ${id}`, { recipient: wrong });
    assertRefuses(change, 400, 'recipient', String(wrong));
  }
});

test('a form is read in any spelling of its id; others’ are 403, and no form’s are 404', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const id = await makeForm(app, customer);
  for (const spelling of [id, id.toUpperCase(), id.replaceAll('-', '')]) {
    assert.equal((await readForm(app, customer, spelling)).id, id);
    assertRefuses(await askForm(app, stranger, `GET ${spelling}`), 403);
  }
  for (const wrong of [randomUUID(), 'x', '1', `${id}0`, id.slice(1), '%00', `%7B${id}%7D`]) {
    assertRefuses(await askForm(app, customer, `GET ${wrong}`), 404, undefined, wrong);
  }
  await askForm(app, customer, `DELETE ${id}`);
  assertRefuses(await askForm(app, customer, `GET ${id}`), 404);
  assertRefuses(await askForm(app, stranger, `GET ${id}`), 403);
});
