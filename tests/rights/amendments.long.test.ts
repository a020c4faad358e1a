import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import canonicalize from 'canonicalize';
import Papa from 'papaparse';
import { selectSizes } from '../../src/forms/submissions/page-size.ts';
import { auditOf, base64, readBack, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';

const FIELDS = [
  { type: 'text', name: 'name', label: 'Name', required: true },
  { type: 'email', name: 'email', label: 'Email' },
  { type: 'number', name: 'kg', label: 'Weight', min: 1, max: 500 },
  { type: 'calculated', name: 'double', label: 'Double', formula: 'kg * 2' },
  { type: 'radio', name: 'smoker', label: 'Smoker', options: ['yes', 'no'] },
  { type: 'number', name: 'years', label: 'Years', required: true, show_when: 'smoker == "yes"' },
  { type: 'date', name: 'seen', label: 'Seen', max: 'today' },
  { type: 'signature', name: 'sign', label: 'Sign', required: true },
  { type: 'file', name: 'card', label: 'Card' },
];
const SENT = {
  form_data: { name: 'Ann Lee', email: 'ann@example.com', kg: 70, smoker: 'no', extra: 'kept' },
  signature: { confirmed: true, name: 'Ann Lee' },
};

const clock = createMovableClock(new Date('2026-03-04T05:06:07Z'));
let app: TestApp;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: { fields: FIELDS }, signable: true });
});

const base = (id: string) => `/v1/forms/api/forms/${formId}/submissions/${id}`;
const amend = (id: string, body: unknown, headers = {}) =>
  app.request('POST', `${base(id)}/amendments`, { key: customer.key, body, headers });
const get = (path: string) => app.request('GET', path, { key: customer.key });
const hash = (answers: object) =>
  createHash('sha256')
    .update(canonicalize(answers) ?? '')
    .digest('hex');

test('an amendment stands beside what was submitted, which stays as it was', async () => {
  const id = await submitted(app, formId, SENT);
  const sent = await readBack(app, customer, formId, id);
  assert.deepEqual([sent.amended, sent.amended_form_data, sent.amendments], [false, null, []]);
  clock.advance(60_000);
  const made = await amend(id, {
    changes: { kg: '71.5', smoker: 'yes', years: 3, email: null },
    reason: 'Weighed again',
    requested_by: 'Ann Lee',
  });
  assert.equal(made.status, 201, made.text);
  const { data } = made.body;
  assert.deepEqual(data, {
    id: data.id,
    at: '2026-03-04T05:07:07.000Z',
    by: { kind: 'key', id: customer.keyId },
    changes: { email: null, kg: 71.5, double: 143, smoker: 'yes', years: 3 },
    statement: null,
    reason: 'Weighed again',
    requested_by: 'Ann Lee',
    before_hash: hash(sent.answers),
  });
  const after = await readBack(app, customer, formId, id);
  assert.equal(after.form_data, sent.form_data);
  assert.deepEqual(after.signature, sent.signature);
  assert.equal(after.signature.genuine, true);
  assert.equal(after.amended, true);
  const right = { name: 'Ann Lee', kg: 71.5, double: 143, smoker: 'yes', years: 3, extra: 'kept' };
  assert.deepEqual(JSON.parse(after.amended_form_data), right);
  assert.deepEqual(after.amendments, [data]);
  clock.advance(1_000);
  const again = await amend(id, { changes: { kg: 72 }, reason: 'Once more' });
  assert.equal(again.body.data.before_hash, hash(right));
  const statement = await amend(id, { statement: 'I never said so.', requested_by: 'Ann Lee' });
  assert.deepEqual([statement.status, statement.body.data.changes], [201, null]);
  const { body: list } = await get(`${base(id)}/amendments`);
  assert.deepEqual(
    new Set(list.data.map((each: { id: string }) => each.id)),
    new Set([data.id, again.body.data.id, statement.body.data.id]),
  );
  assert.equal(JSON.parse((await readBack(app, customer, formId, id)).amended_form_data).kg, 72);
  const log = (await auditOf(app, customer, ['submission.amended'])).filter(({ target }) => target === id);
  assert.deepEqual(log.map(({ details }) => String(details.kind)).toSorted(), ['changes', 'changes', 'statement']);
  assert.doesNotMatch(JSON.stringify(log) + app.logged(), /Weighed|never said|71\.5|Ann Lee/);
});

test('an amendment is judged with the whole submission by the version that was answered, as of its day', async () => {
  const id = await submitted(app, formId, SENT);
  clock.advance(24 * 3600_000);
  const refused: [object, RegExp][] = [
    [{ kg: 0 }, /^kg: Please enter a number that is at least 1/],
    [{ kg: 'canary' }, /^kg: Please enter a number/],
    [{ name: null }, /^name: Please answer/],
    [{ smoker: 'yes' }, /^years: Please answer/],
    [{ smoker: 'canary' }, /^smoker: /],
    [{ seen: '2026-03-06' }, /^seen: .* not after/],
    [{ canary: 1 }, /^changes: takes the names of questions/],
    [{ sign: 'canary' }, /^sign: a question of the kind signature is not amended/],
    [{ card: 'canary' }, /^card: a question of the kind file/],
    [{ double: 1 }, /^double: a question of the kind calculated/],
    [{ kg: 70 }, /^changes: must change an answer/],
    [{}, /^changes: must name an answer/],
  ];
  for (const [changes, message] of refused) {
    const { status, body, text } = await amend(id, { changes, reason: 'r' });
    assert.equal(status, 400, JSON.stringify(changes));
    assert.match(body.message, message);
    assert.doesNotMatch(text, /canary/);
  }
  assert.equal((await amend(id, { changes: { seen: '2026-03-04', extra: 'changed' }, reason: 'r' })).status, 201);
  const bodies: [object, RegExp][] = [
    [{}, /^changes: are required/],
    [{ statement: ' ' }, /^changes: are required/],
    [{ changes: { kg: 9 } }, /^reason: is required/],
    [{ changes: { kg: 9 }, reason: ' ' }, /^reason: is required/],
    [{ changes: { kg: 9 }, reason: 'r', statement: 's' }, /^statement: /],
    [{ changes: [1], reason: 'r' }, /changes/],
    [{ statement: 'x'.repeat(20_001) }, /statement/],
    [{ statement: 's', reason: 'x'.repeat(2_001) }, /reason/],
    [{ statement: 's', requested_by: 'x'.repeat(321) }, /requested_by/],
  ];
  for (const [body, message] of bodies) {
    const reply = await amend(id, body);
    assert.equal(reply.status, 400, JSON.stringify(body).slice(0, 80));
    assert.match(reply.body.message, message);
  }
  const longest = { statement: 'x'.repeat(20_000), reason: 'x'.repeat(2_000), requested_by: 'x'.repeat(320) };
  assert.equal((await amend(id, longest)).status, 201);
});

test('signatures and files within a group stay with the entries they came in', async () => {
  const fields = [
    {
      type: 'repeating group',
      name: 'people',
      label: 'People',
      fields: [
        { type: 'text', name: 'name', label: 'Name' },
        { type: 'signature', name: 'sign', label: 'Sign' },
        { type: 'file', name: 'card', label: 'Card' },
      ],
    },
  ];
  const own = await addForm(app, customer.id, { form_json: { fields } });
  const sign = { confirmed: true, name: 'Ann' };
  const id = await submitted(app, own, {
    form_data: { people: [{ name: 'Ann', sign }, { name: 'Bob' }, { name: 'Cat' }] },
    attachments: [{ name: 'bob.txt', content: base64('bob'), field: 'people.1.card' }],
  });
  const [ann, bob, cat] = (await readBack(app, customer, own, id)).answers.people;
  const path = `/v1/forms/api/forms/${own}/submissions/${id}/amendments`;
  const change = (people: unknown) =>
    app.request('POST', path, { key: customer.key, body: { changes: { people }, reason: 'r' } });
  for (const people of [
    null,
    [bob, cat],
    [{ ...ann, sign: { ...sign, name: 'Eve' } }, bob, cat],
    [{ name: 'Ann' }, bob, cat],
    [bob, ann, cat],
    [ann, cat, bob],
    [ann, { ...bob, sign }, cat],
    [ann, bob, cat, { name: 'Dan', sign }],
  ]) {
    const { status, body } = await change(people);
    assert.equal(status, 400, JSON.stringify(people));
    assert.match(body.message, /^people: entries with a signature or a file stay/);
  }
  const right = [{ ...ann, name: 'Anna' }, { ...bob, name: 'Bert' }, { name: 'Dan' }];
  assert.equal((await change(right)).status, 201);
  assert.equal((await change(right.slice(0, 2))).status, 201, 'an entry without any may go');
});

test('what stands beside a submission counts for the pages in which it is read', async () => {
  const id = await submitted(app, formId, SENT);
  const sizeOf = () =>
    app.installation.db.tenant([customer.id], async (tx) => {
      const [row] = await selectSizes(tx, customer.id, formId).where('s.id', '=', id).execute();
      return row?.size ?? 0;
    });
  const alone = await sizeOf();
  assert.equal((await amend(id, { statement: 'x'.repeat(20_000) })).status, 201);
  assert.ok((await sizeOf()) - alone > 40_000);
});

test('the same key amends once, and a submission takes a hundred amendments', async () => {
  const id = await submitted(app, formId, SENT);
  const body = { statement: 'No.' };
  const headers = { 'idempotency-key': 'once' };
  const [one, other] = [await amend(id, body, headers), await amend(id, body, headers)];
  assert.equal(other.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(other.body, one.body);
  assert.equal(one.body.data.statement, 'No.');
  for (let made = 1; made < 99; made += 1) assert.equal((await amend(id, body)).status, 201);
  const last = await Promise.all([amend(id, body), amend(id, body), amend(id, body)]);
  assert.deepEqual(last.map(({ status }) => String(status)).toSorted(), ['201', '409', '409']);
});

test('tables show what is right now, and a column of times where anything was amended', async () => {
  const form = { form_json: { fields: FIELDS.slice(0, 3) } };
  const own = await addForm(app, customer.id, form);
  const [id, untouched] = [
    await submitted(app, own, { form_data: { name: 'Ann', kg: 70 } }),
    (clock.advance(1_000), await submitted(app, own, { form_data: { name: 'Bob', kg: 80 } })),
  ];
  const path = `/v1/forms/api/forms/${own}/submissions`;
  const csv = async (rest = '') =>
    Papa.parse<string[]>((await get(`${path}/submission-csv${rest}`)).text.trimEnd()).data;
  const [plain] = await csv();
  assert.equal(plain?.includes('Amended At'), false);
  clock.advance(1_000);
  const at = clock.now().toISOString().slice(0, 10);
  const body = { changes: { kg: 75 }, reason: 'r' };
  assert.equal((await app.request('POST', `${path}/${id}/amendments`, { key: customer.key, body })).status, 201);
  const [header = [], ann = [], bob = []] = await csv();
  assert.deepEqual(header, [...(plain ?? []), 'Amended At']);
  assert.deepEqual([ann[3], ann.at(-1)?.slice(0, 10)], ['75', at]);
  assert.deepEqual([bob[3], bob.at(-1)], ['80', '']);
  assert.equal((await csv(`/${untouched}`))[1]?.[3], '80');
  const { status, text } = await get(`${path}/${id}/submission-pdf`);
  assert.equal(status, 200);
  const { text: other } = await get(`${path}/${untouched}/submission-pdf`);
  assert.ok(text.length > other.length, 'the page of the amended one has more on it');
});

test('amendments are sealed, and those of a form that asks nothing take any name', async () => {
  const own = await addForm(app, customer.id, { form_json: {} });
  const id = await submitted(app, own, { form_data: { a: 'x' }, attachments: [{ name: 'a', content: base64('a') }] });
  const body = { changes: { b: 'canary-in-changes' }, reason: 'canary-in-reason', requested_by: 'canary-in-name' };
  const path = `/v1/forms/api/forms/${own}/submissions/${id}/amendments`;
  assert.equal((await app.request('POST', path, { key: customer.key, body })).status, 201);
  const { rows } = await asOwner(app, (client) =>
    client.query('select sealed from submission_amendments where submission_id = $1', [id]),
  );
  assert.equal(rows.length, 1);
  assert.equal(rows[0].sealed.includes('canary'), false);
  assert.doesNotMatch(app.logged(), /canary/);
});

test('staff enter no longer texts than patients do, and no more of them than a submission holds', async () => {
  const own = await addForm(app, customer.id, { form_json: { fields: [{ name: 'story', type: 'long text' }] } });
  const path = `/v1/forms/api/forms/${own}/submissions`;
  const longest = 2 * 2 ** 20;
  const post = (at: string, body: unknown) => app.request('POST', at, { key: customer.key, body });
  const tell = (story: unknown, name = 'story') =>
    post(`${path}/${id}/amendments`, { changes: { [name]: story }, reason: 'r' });
  const id = await submitted(app, own, { form_data: { story: 'a'.repeat(longest), extra: 'x' } });
  const tooLong = { form_data: { story: 'ä'.repeat(longest / 2 + 1) } };
  assert.equal((await post(path, tooLong)).status, 413, 'what a patient may not send');
  for (const [name, field] of [
    ['story', 'story'],
    ['extra', 'changes'],
  ] as const) {
    const { status, body } = await tell(tooLong.form_data.story, name);
    assert.equal(status, 413);
    assert.deepEqual(body.fields, { [field]: ['holds a text of more than 2097152 bytes'] });
  }
  for (const sign of 'bcd') assert.equal((await tell(sign.repeat(longest))).status, 201, sign);
  const { status, body } = await tell('e'.repeat(longest));
  assert.equal(status, 413);
  assert.deepEqual(Object.keys(body.fields), ['changes']);
  assert.equal((await tell('short')).status, 201);
});
