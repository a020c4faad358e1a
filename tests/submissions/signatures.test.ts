import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { bindSignature, isGenuine } from '../../src/forms/submissions/signature.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { base64, leavingNothing, PNG, readBack, submit, submitted } from './submitting.ts';

const MEGABYTE = 1024 * 1024;
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const CONSENT = 'I agree to be treated.';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
let open: string;
let demanding: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  open = await addForm(app, customer.id, { form_json: {}, signable: true, signature_confirmation_label: CONSENT });
  const fields = [
    { type: 'text', name: 'reason' },
    { type: 'signature', name: 'signed', required: true },
  ];
  demanding = await addForm(app, customer.id, { form_json: { fields }, signature_confirmation_label: CONSENT });
});

/** What is kept of a signature that came with a submission. */
async function signatureOf(body: Record<string, unknown>, formId = open) {
  const id = await submitted(app, formId, { form_data: {}, ...body });
  return (await readBack(app, customer, formId, id)).signature;
}

/** A picture of so many bytes, as far as its beginning tells. */
const pictureOf = (length: number) => base64(Buffer.concat([PNG, Buffer.alloc(length - PNG.length)]));

test('a signature that is typed, drawn or uploaded is kept with what was signed and when', async () => {
  for (const [sent, name, method, image] of [
    [{ confirmed: true, name: ' Ann Example ' }, 'Ann Example', 'typed', null],
    [{ confirmed: 'true', name: 'Ann' }, 'Ann', 'typed', null],
    [{ confirmed: 1, name: 'Ann' }, 'Ann', 'typed', null],
    [{ confirmed: 'Yes', name: 'Ann' }, 'Ann', 'typed', null],
    [{ confirmed: 'on', name: 'Ann' }, 'Ann', 'typed', null],
    [{ confirmed: true, name: 'Ann', method: 'typed', image: base64(PNG) }, 'Ann', 'typed', PNG],
    [{ confirmed: true, name: 'Ann', image: base64(PNG) }, 'Ann', 'drawn', PNG],
    [{ confirmed: true, image: `data:image/png;base64,${base64(PNG)}` }, null, 'drawn', PNG],
    [{ confirmed: true, image: base64(JPEG), method: 'uploaded' }, null, 'uploaded', JPEG],
    [{ confirmed: true, name: 'Ann', image: base64(PNG).replace(/.{20}/g, '$&\r\n') }, 'Ann', 'drawn', PNG],
    [{ confirmed: true, name: 'Ann', image: '' }, 'Ann', 'typed', null],
  ] as const) {
    clock.advance(1_000);
    const kept = await signatureOf({ signature: sent });
    const { form_hash, answers_hash, proof, ...told } = kept;
    assert.deepEqual(told, {
      name,
      method,
      image: image === null ? null : base64(image),
      signed_at: clock.now().toISOString(),
      consent_text: CONSENT,
      form_version: 1,
      genuine: true,
    });
    assert.match(form_hash, /^[0-9a-f]{64}$/);
    assert.match(answers_hash, /^[0-9a-f]{64}$/);
    assert.ok(proof.length > 80);
  }
});

test('a signature among the answers counts where it is not blank and not false', async () => {
  const given = (signature: unknown, formId = open, name = 'signature') =>
    signatureOf({ form_data: { [name]: signature } }, formId);
  for (const [sent, name, method, image] of [
    ['Ann Example', 'Ann Example', 'typed', null],
    [true, null, 'typed', null],
    [`data:image/png;base64,${base64(PNG)}`, null, 'drawn', base64(PNG)],
    [{ confirmed: true, name: 'Ann' }, 'Ann', 'typed', null],
    ['x'.repeat(300), 'x'.repeat(200), 'typed', null],
    ['Ann\nSigned: Bob', 'Ann Signed: Bob', 'typed', null],
    [{ confirmed: 'yes', name: 'Ann' }, 'Ann', 'typed', null],
  ] as const) {
    for (const [formId, question] of [
      [open, 'signature'],
      [demanding, 'signed'],
    ] as const) {
      const kept = await given(sent, formId, question);
      assert.deepEqual([kept.name, kept.method, kept.image, kept.genuine], [name, method, image, true]);
    }
  }
  const nothing = [undefined, null, false, '', ' ', 'false', ' FALSE ', 'no', 'off', 0, '0', [], { confirmed: false }];
  for (const none of [...nothing, { confirmed: null, name: 'Ann' }]) {
    assert.equal(await given(none), null, JSON.stringify(none));
  }
  assert.equal(await signatureOf({ signature: null }), null);
  assert.equal(await signatureOf({ signature: { confirmed: false } }), null);
});

test('a form whose signature is required is not taken without one', async () => {
  await leavingNothing(app, async () => {
    for (const body of [
      {},
      { signature: null },
      { signature: { confirmed: false } },
      { signature: { confirmed: 'false', name: 'Ann' } },
      ...[null, '', ' ', false, 'false', 'no', { confirmed: false }, { confirmed: 'false', name: 'Ann' }].map(
        (signed) => ({ form_data: { signed } }),
      ),
    ]) {
      const reply = await submit(app, demanding, { form_data: {}, ...body });
      assert.equal(reply.status, 400, JSON.stringify(body));
      assert.deepEqual(Object.keys(reply.body.fields), ['signed'], JSON.stringify(body));
    }
  });
  const signature = { confirmed: true, name: 'Ann' };
  for (const signed of [undefined, null, '', false, { confirmed: false }]) {
    const kept = await signatureOf({ signature, form_data: { signed } }, demanding);
    assert.equal(kept.name, 'Ann', 'a question that was left blank is answered by the signature beside it');
  }
  const either = await signatureOf({ signature: { confirmed: false }, form_data: { signed: 'Ann' } }, demanding);
  assert.equal(either.name, 'Ann');
});

test('a signature is found under each name that its question goes by', async () => {
  const fields = [{ type: 'signature', name: 'Your Signature', id: 'sig-1', required: true }];
  const form = await addForm(app, customer.id, { form_json: { fields } });
  for (const name of ['Your Signature', 'sig-1', 'your_signature']) {
    const kept = await signatureOf({ form_data: { [name]: 'Ann' } }, form);
    assert.equal(kept?.name, 'Ann', name);
  }
  const odd = await addForm(app, customer.id, { form_json: { fields: [{ type: 'signature', name: 'constructor' }] } });
  assert.equal(await signatureOf({}, odd), null);
});

test('a confirmation that is none is refused and names the field, not what was sent', async () => {
  const mark = `mark${randomUUID()}`;
  await leavingNothing(app, async () => {
    for (const [signature, field] of [
      [mark, 'signature'],
      [7, 'signature'],
      [true, 'signature'],
      [[mark], 'signature'],
      [{}, 'signature.confirmed'],
      [{ confirmed: null, name: mark }, 'signature.confirmed'],
      [{ confirmed: 2, name: mark }, 'signature.confirmed'],
      [{ confirmed: 'maybe', name: mark }, 'signature.confirmed'],
      [{ confirmed: [true], name: mark }, 'signature.confirmed'],
      [{ confirmed: true }, 'signature.name'],
      [{ confirmed: true, name: ' ' }, 'signature.name'],
      [{ confirmed: true, name: 7 }, 'signature.name'],
      [{ confirmed: true, name: `Ann\n${mark}` }, 'signature.name'],
      [{ confirmed: true, name: `Ann\u2028${mark}` }, 'signature.name'],
      [{ confirmed: true, name: `Ann\u001b[2K${mark}` }, 'signature.name'],
      [{ confirmed: true, name: mark.repeat(6) }, 'signature.name'],
      [{ confirmed: true, name: 'Ann', method: mark }, 'signature.method'],
      [{ confirmed: true, name: 'Ann', method: 'drawn' }, 'signature.image'],
      [{ confirmed: true, name: 'Ann', image: mark }, 'signature.image'],
      [{ confirmed: true, name: 'Ann', image: 7 }, 'signature.image'],
      [{ confirmed: true, name: 'Ann', image: base64(`GIF89a${mark}`) }, 'signature.image'],
      [{ confirmed: true, name: 'Ann', image: base64(`<svg>${mark}</svg>`) }, 'signature.image'],
      [{ confirmed: true, name: 'Ann', image: `data:image/svg+xml;base64,${base64(PNG)}` }, 'signature.image'],
      [{ confirmed: true, name: 'Ann', image: `${base64(PNG)}===` }, 'signature.image'],
    ] as const) {
      const reply = await submit(app, open, { form_data: {}, signature });
      assert.equal(reply.status, 400, JSON.stringify(signature));
      assert.deepEqual(Object.keys(reply.body.fields), [field], JSON.stringify(signature));
      assert.ok(!reply.text.includes(mark));
    }
    const amongAnswers = { form_data: { signed: `data:image/png;base64,${base64(mark)}` } };
    assert.equal((await submit(app, demanding, amongAnswers)).status, 400);
  });
});

test('a signature that no question asks for is never refused, and counts without a picture that cannot be kept', async () => {
  const svg = `data:image/svg+xml;base64,${base64('<svg/>')}`;
  for (const signature of [svg, `data:image/png;base64,${pictureOf(MEGABYTE + 1)}`, { confirmed: true, image: svg }]) {
    const id = await submitted(app, open, { form_data: { signature } });
    const read = await readBack(app, customer, open, id);
    assert.deepEqual(read.answers, { signature });
    const { name, method, image, genuine } = read.signature;
    assert.deepEqual([name, method, image, genuine], [null, 'typed', null, true]);
  }
});

test('each question for a signature wants its own, unless the whole is signed', async () => {
  const fields = ['mine', 'yours'].map((name) => ({ type: 'signature', name, required: true }));
  const form = await addForm(app, customer.id, { form_json: { fields } });
  await leavingNothing(app, async () => {
    for (const form_data of [{ mine: 'Ann' }, { mine: 'Ann', yours: 'no' }, { mine: 'Ann', signature: 'no' }]) {
      const reply = await submit(app, form, { form_data });
      assert.deepEqual([reply.status, Object.keys(reply.body.fields)], [400, ['yours']], JSON.stringify(form_data));
    }
  });
  const both = await signatureOf({ form_data: { mine: 'Ann', yours: 'Bob' } }, form);
  assert.equal(both.name, 'Ann');
  const signature = { confirmed: true, name: 'Eve' };
  assert.equal((await signatureOf({ signature, form_data: { mine: 'Ann' } }, form)).name, 'Eve');
  assert.equal((await signatureOf({ form_data: { signature: 'Eve' } }, form)).name, 'Eve');
  assert.equal((await signatureOf({ form_data: { mine: 'Ann', signature: 'Eve' } }, form)).name, 'Ann');
});

test('a question that is called signature is held to what the others are', async () => {
  const own = { type: 'signature', name: 'signature', required: true };
  const form = await addForm(app, customer.id, { form_json: { fields: [own] } });
  await leavingNothing(app, async () => {
    for (const signature of ['no', 'off', 0, [], ' ', false, { confirmed: 'no', name: 'Ann' }]) {
      const reply = await submit(app, form, { form_data: { signature } });
      assert.equal(reply.status, 400, JSON.stringify(signature));
      assert.deepEqual(Object.keys(reply.body.fields), ['signature']);
    }
  });
  assert.equal((await signatureOf({ form_data: { signature: 'Ann' } }, form)).name, 'Ann');
  const fields = [own, { type: 'signature', name: 'other', required: true }];
  const two = await addForm(app, customer.id, { form_json: { fields } });
  assert.equal((await submit(app, two, { form_data: { signature: 'Ann' } })).status, 400, 'it speaks for itself alone');
  const hidden = { ...own, show_when: 'minor' };
  const asked = await addForm(app, customer.id, { form_json: { fields: [{ type: 'yes_no', name: 'minor' }, hidden] } });
  assert.equal(await signatureOf({ form_data: { minor: false, signature: 'Ann' } }, asked), null, 'taken back');
});

test('a picture takes one megabyte and not one byte more', async () => {
  const kept = await signatureOf({ signature: { confirmed: true, image: pictureOf(MEGABYTE) } });
  assert.equal(kept.image, pictureOf(MEGABYTE));
  assert.equal(kept.genuine, true);
  await leavingNothing(app, async () => {
    for (const length of [MEGABYTE + 1, MEGABYTE + 2, MEGABYTE + 3]) {
      const signature = { confirmed: true, image: pictureOf(length) };
      const reply = await submit(app, open, { form_data: {}, signature });
      assert.equal(reply.status, 400, String(length));
      assert.deepEqual(Object.keys(reply.body.fields), ['signature.image']);
    }
  });
});

test('what was signed is named by hashes that follow every answer, every file and the form', async () => {
  const signature = { confirmed: true, name: 'Ann' };
  const file = { name: 'a.txt', content: base64('one') };
  const form = await addForm(app, customer.id, { form_json: { fields: [] } });
  const hashes = async (body: Record<string, unknown>) => {
    const { form_hash, answers_hash } = await signatureOf({ signature, ...body }, form);
    return [form_hash, answers_hash] as const;
  };
  const first = await hashes({ form_data: { a: 1 } });
  assert.deepEqual(await hashes({ form_data: { a: 1 } }), first);
  const answers = createHash('sha256')
    .update(JSON.stringify([{ a: 1 }, []]))
    .digest('hex');
  assert.equal(first[1], answers, 'anybody can work it out again');
  const others = [
    await hashes({ form_data: { a: 2 } }),
    await hashes({ form_data: { a: 1 }, attachments: [file] }),
    await hashes({ form_data: { a: 1 }, attachments: [{ ...file, name: 'b.txt' }] }),
    await hashes({ form_data: { a: 1 }, attachments: [{ ...file, content: base64('two') }] }),
  ];
  assert.equal(new Set([first, ...others].map(([, each]) => each)).size, 5);
  assert.equal(new Set([first, ...others].map(([each]) => each)).size, 1);
  const change = { form_json: { fields: [] }, signature_confirmation_label: 'Other words' };
  assert.equal((await app.request('PUT', `/api/forms/${form}`, { key: customer.key, body: change })).status, 200);
  const [changed] = await hashes({ form_data: { a: 1 } });
  assert.notEqual(changed, first[0]);
});

test('a proof holds for what was signed, by whom, how and when, and for nothing that differs in anything', () => {
  const key = generateKeyPairSync('ed25519');
  const bound = { submissionId: randomUUID(), formId: randomUUID() };
  const signed = {
    signedAt: '2026-01-02T03:04:05.000Z',
    consentText: CONSENT,
    formVersion: 1,
    formHash: 'a'.repeat(64),
    answersHash: 'b'.repeat(64),
  };
  const evidence = bindSignature(key, bound, { name: 'Ann', method: 'drawn', image: PNG }, signed);
  assert.equal(isGenuine(key, bound, evidence), true);
  for (const change of [
    { name: 'Anna' },
    { name: null },
    { method: 'uploaded' as const },
    { image: base64(JPEG) },
    { image: null },
    { signedAt: '2026-01-02T03:04:05.001Z' },
    { consentText: null },
    { formVersion: 2 },
    { formHash: 'c'.repeat(64) },
    { answersHash: 'c'.repeat(64) },
    { proof: '' },
    { proof: evidence.proof.slice(4) },
  ]) {
    assert.equal(isGenuine(key, bound, { ...evidence, ...change }), false, JSON.stringify(change));
  }
  assert.equal(isGenuine(key, { ...bound, submissionId: randomUUID() }, evidence), false);
  assert.equal(isGenuine(key, { ...bound, formId: randomUUID() }, evidence), false);
  assert.equal(isGenuine(generateKeyPairSync('ed25519'), bound, evidence), false);

  const titled = bindSignature(
    key,
    bound,
    { name: 'Ann', method: 'typed', image: null },
    { ...signed, title: 'Consent', language: 'es' },
  );
  assert.equal(isGenuine(key, bound, titled), true);
  const { title: _title, language: _language, ...untitled } = titled;
  for (const changed of [{ ...titled, title: 'Another' }, { ...titled, language: 'en' }, untitled]) {
    assert.equal(isGenuine(key, bound, changed), false);
  }
});

/** Moves a sealed column of one submission onto another. */
async function copyColumns(from: string, to: string, table: string, id: string, columns: string[]): Promise<void> {
  await asOwner(app, async (client) => {
    await client.query(`alter table ${table} disable trigger user`);
    const set = columns.map((column) => `${column} = other.${column}`).join(', ');
    const { rowCount } = await client.query(
      `update ${table} t set ${set} from ${table} other where t.${id} = $2 and other.${id} = $1`,
      [from, to],
    );
    assert.equal(rowCount, 1);
  });
}

test('sealed values that are moved to another submission do not open there', async () => {
  const mark = `mark${randomUUID()}`;
  for (const moves of [
    [['submissions', 'id', ['sealed']]],
    [['submissions', 'id', ['submitter']]],
    [['submission_keys', 'submission_id', ['key']]],
    [
      ['submissions', 'id', ['sealed', 'submitter']],
      ['submission_keys', 'submission_id', ['key']],
    ],
  ] as [string, string, string[]][][]) {
    const email = `${mark}@example.com`;
    const source = await submitted(app, open, {
      form_data: { email, mark },
      signature: { confirmed: true, name: mark },
    });
    const target = await submitted(app, open, { form_data: { email: 'b@example.com', mark: 'other' } });
    for (const [table, id, columns] of moves) await copyColumns(source, target, table, id, columns);
    const base = `/v1/forms/api/forms/${open}/submissions`;
    const one = await app.request('GET', `${base}/${target}`, { key: customer.key });
    assert.equal(one.status, 500);
    assert.ok(!one.text.includes(mark));
    const listed = await app.request('GET', `${base}?submission_id=${target}`, { key: customer.key });
    assert.equal(listed.status, 500);
    assert.equal((await readBack(app, customer, open, source)).signature.genuine, true);
    const gone = await app.request('DELETE', `${base}/${target}`, { key: customer.key });
    assert.equal(gone.status, 200, 'what cannot be opened can still be destroyed');
  }
  assert.ok(!app.logged().includes(mark));
});
