import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { checkCertificate } from '../../src/forms/index.ts';
import { certificateOf } from '../certificates/certify.ts';
import { lastMail, mailedCode } from '../drafts/saving.ts';
import { open, SUBMIT } from '../page/visitor.ts';
import { auditOf, PNG, readBack, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { statusesOf } from '../uploads/uploading.ts';
import {
  addToBeSigned,
  askSigners,
  DECLINE,
  GUARDIAN_TEXT,
  goIn,
  signBy,
  signingLink,
  statesOf,
  type ToBeSigned,
  typed,
} from './signing.ts';

const HOUR = 3600_000;
const SIGNED = 'forms.submission.signed';
const PRIVATE = ['Ann', 'Secret', 'private-card', 'Your name', GUARDIAN_TEXT];

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  const endpoint = { target_url: 'http://127.0.0.1:9/', events: [SIGNED], api_key: 'x' };
  await app.request('POST', '/v1/email/webhook_endpoints', { key: customer.key, body: endpoint });
});

const certificate = async ({ formId, id }: ToBeSigned) => {
  const path = `/v1/forms/api/forms/${formId}/submissions/${id}/certificate`;
  return (await checkCertificate(await certificateOf(app, { customer, formId, id, path }), null)).record;
};

/** How often it was told that everybody has signed a submission. */
async function toldOf({ id }: ToBeSigned): Promise<number> {
  return asOwner(app, async (client) => {
    const told = `select from webhook_deliveries where event_name = $1 and facts->>'submission_id' = $2`;
    return (await client.query(told, [SIGNED, id])).rowCount ?? 0;
  });
}

/** The id of the signer who has this part. */
async function idOf(wanted: ToBeSigned, role: string): Promise<string> {
  const { body } = await askSigners(app, customer, wanted);
  return body.data.find((each: { role: string }) => each.role === role).id;
}

test('a guardian and a witness sign by their own links, and one certificate has them all', async () => {
  const wanted = await addToBeSigned(app, customer);
  assert.deepEqual(await statesOf(app, customer, wanted), { guardian: 'waiting', witness: 'waiting' });
  const first = await certificate(wanted);
  assert.deepEqual([first.signatures.map(({ role }) => role), first.complete], [['signer'], false]);

  const link = await signingLink(app, customer, wanted.witness);
  const entrance = await open(app, link);
  assert.equal(entrance.status, 200);
  assert.ok(entrance.text.includes(customer.username), 'the clinic is named');
  for (const word of PRIVATE) assert.ok(!entrance.text.includes(word), `${word} is shown by the link alone`);
  const amending = `/v1/forms/api/forms/${wanted.formId}/submissions/${wanted.id}/amendments`;
  const amendment = { statement: 'That is not so.', reason: 'A word among staff', requested_by: 'Somebody else' };
  assert.equal((await app.request('POST', amending, { key: customer.key, body: amendment })).status, 201);
  const page = await goIn(app, customer, link, wanted.witness);
  assert.doesNotMatch(
    page.text,
    /not so|among staff|Somebody else/,
    'what was submitted is signed, and nothing said since',
  );
  for (const word of ['Ann Secretly', 'Secret treatment', 'private-card.txt', 'You sign as: witness']) {
    assert.ok(page.text.includes(word), `${word} is to be read`);
  }
  assert.equal((await page.press(SUBMIT, typed('Will Witness'))).title, 'You have signed');
  assert.deepEqual(await statesOf(app, customer, wanted), { guardian: 'waiting', witness: 'signed' });
  assert.equal(await toldOf(wanted), 0, 'the guardian is still to sign');

  clock.advance(HOUR);
  assert.equal((await signBy(app, customer, wanted.guardian, 'Gus Guardian')).title, 'You have signed');
  assert.equal(await toldOf(wanted), 1);
  const kept = await readBack(app, customer, wanted.formId, wanted.id);
  assert.equal(kept.awaiting_signatures, 0);
  assert.deepEqual(
    kept.signatures.map((each: Record<string, unknown>) => [each.role, each.name, each.method, each.genuine]),
    [
      ['signer', 'Ann Secretly', 'typed', true],
      ['guardian', 'Gus Guardian', 'typed', true],
      ['witness', 'Will Witness', 'typed', true],
    ],
  );
  const { signatures, complete } = await certificate(wanted);
  assert.ok(complete);
  assert.deepEqual(
    signatures.map(({ role, name, consent_text: text }) => [role, name, text]),
    [
      ['signer', 'Ann Secretly', 'I have told the truth.'],
      ['guardian', 'Gus Guardian', GUARDIAN_TEXT],
      ['witness', 'Will Witness', 'I confirm that this is my signature.'],
    ],
  );
  for (const part of ['form_hash', 'answers_hash'] as const) {
    assert.equal(new Set(signatures.map((each) => each[part])).size, 1, `all signed the same ${part}`);
  }
  assert.equal((await open(app, link)).title, 'You have signed', 'the link shows nothing else any more');
});

test('whose address the form did not ask for has nothing to sign, and is sent nothing', async () => {
  const guardian = 'not-asked-for@example.com';
  const formId = await addForm(app, customer.id, {
    form_json: {
      fields: [
        { name: 'minor', type: 'yes_no' },
        { name: 'guardian_email', type: 'email', show_when: 'minor' },
      ],
      signers: [{ role: 'guardian', email_question: 'guardian_email' }],
    },
  });
  const id = await submitted(app, formId, { form_data: { minor: 'no', guardian_email: guardian } });
  assert.deepEqual((await readBack(app, customer, formId, id)).unasked, ['guardian_email']);
  for (const [minor, awaited] of [
    ['no', []],
    ['yes', [['guardian', null]]],
  ] as const) {
    const unnamed = await submitted(app, formId, { form_data: { minor } });
    for (const each of minor === 'no' ? [id, unnamed] : [unnamed]) {
      const { body } = await askSigners(app, customer, { formId, id: each });
      assert.deepEqual(
        body.data.map(({ role, email }: Record<string, unknown>) => [role, email]),
        awaited,
      );
    }
  }
  const { body: sandbox } = await app.request('GET', '/v1/email/sandbox/messages', { key: customer.key });
  assert.ok(!JSON.stringify(sandbox).includes(guardian));
});

test('one address is mailed five times an hour by a form, and whom it did not mail is asked by the customer', async () => {
  const guardian = 'mailed-by-a-stranger@example.com';
  const formId = await addForm(app, customer.id, {
    form_json: {
      fields: [{ name: 'guardian_email', type: 'email' }],
      signers: [{ role: 'guardian', email_question: 'guardian_email' }],
    },
  });
  const submitTo = (address: string) => submitted(app, formId, { form_data: { guardian_email: address } });
  const contact = async (id: string) => {
    const { body } = await askSigners(app, customer, { formId, id });
    return body.data.map(({ email, state }: Record<string, unknown>) => [email, state]);
  };
  const mails = async () => {
    const path = `/v1/email/message_log?to=${encodeURIComponent(guardian)}`;
    return (await app.request('GET', path, { key: customer.key })).body.data.length;
  };
  clock.advance(HOUR);
  for (let mailed = 0; mailed < 5; mailed += 1) await submitTo(mailed % 2 === 0 ? guardian : guardian.toUpperCase());
  assert.equal(await mails(), 5);
  const id = await submitTo(guardian);
  assert.deepEqual([await mails(), await contact(id)], [5, [[null, 'waiting']]]);
  assert.equal((await contact(await submitTo('somebody-else@example.com')))[0][0], 'somebody-else@example.com');

  const body = { role: 'guardian', email: guardian };
  assert.equal((await askSigners(app, customer, { formId, id }, 'POST', { body })).status, 201);
  assert.deepEqual([await mails(), await contact(id)], [6, [[guardian, 'waiting']]]);
  clock.advance(HOUR);
  assert.deepEqual(await contact(await submitTo(guardian)), [[guardian, 'waiting']]);
});

test('both sign at once, and it is told once', async () => {
  const wanted = await addToBeSigned(app, customer);
  const pages = await Promise.all(
    [wanted.guardian, wanted.witness].map(async (address) =>
      goIn(app, customer, await signingLink(app, customer, address), address),
    ),
  );
  const all = [...pages, ...pages].map((page, i) => page.press(SUBMIT, typed(`Signer ${i}`)));
  for (const done of await Promise.all(all)) assert.equal(done.title, 'You have signed');
  assert.equal(await toldOf(wanted), 1);
  const { signatures } = await readBack(app, customer, wanted.formId, wanted.id);
  assert.equal(signatures.length, 3, 'each has signed once');
});

test('a picture is signed with, and what lacks something is said with the page', async () => {
  const wanted = await addToBeSigned(app, customer);
  const page = await goIn(app, customer, await signingLink(app, customer, wanted.guardian), wanted.guardian);
  const file = { control: '_signature.file', name: 'mark.png', type: 'image/png' };
  const unconfirmed = await page.press(SUBMIT, { '_signature.name': 'Gus' });
  assert.equal(unconfirmed.status, 422);
  assert.equal(unconfirmed.problems['_signature'], 'Please confirm your signature with the tick box.');
  assert.equal(unconfirmed.value('_signature.name'), 'Gus');
  const noPicture = await unconfirmed.press(SUBMIT, typed('Gus'), [{ ...file, content: 'no picture' }]);
  assert.equal(noPicture.status, 422);
  const large = await noPicture.press(SUBMIT, typed('Gus'), [
    { ...file, content: Buffer.concat([PNG, Buffer.alloc(2 ** 20)]) },
  ]);
  assert.match(large.problems['_signature'] ?? '', /at most 1 MB/);
  const done = await large.press(SUBMIT, typed('Gus'), [{ ...file, content: PNG }]);
  assert.equal(done.title, 'You have signed');
  const { signatures } = await certificate(wanted);
  assert.deepEqual([signatures[1]?.method, signatures[1]?.image], ['uploaded', PNG.toString('base64')]);
});

test('who declines signs nothing, and may be asked again', async () => {
  const wanted = await addToBeSigned(app, customer);
  const link = await signingLink(app, customer, wanted.guardian);
  const page = await goIn(app, customer, link, wanted.guardian);
  assert.equal((await page.press(DECLINE)).title, 'You have declined to sign');
  assert.equal((await page.press(SUBMIT, typed('Gus'))).title, 'You have declined to sign', 'that was the answer');
  assert.deepEqual(await statesOf(app, customer, wanted), { guardian: 'declined', witness: 'waiting' });
  await signBy(app, customer, wanted.witness, 'Will');
  assert.equal(await toldOf(wanted), 0);
  assert.equal((await readBack(app, customer, wanted.formId, wanted.id)).awaiting_signatures, 1);
  const body = { role: 'guardian', email: wanted.guardian, name: 'Gus' };
  const again = await askSigners(app, customer, wanted, 'POST', { body });
  assert.deepEqual([again.status, again.body.data.state, again.body.data.name], [201, 'waiting', 'Gus']);
  assert.equal((await signBy(app, customer, wanted.guardian, 'Gus')).title, 'You have signed');
  assert.equal(await toldOf(wanted), 1);
});

test('where whoever else had to sign is withdrawn, it is told once that everybody has signed', async () => {
  const wanted = await addToBeSigned(app, customer);
  await signBy(app, customer, wanted.guardian, 'Gus');
  assert.equal(await toldOf(wanted), 0);
  const path = `/${await idOf(wanted, 'witness')}`;
  const replies = await Promise.all([1, 2].map(() => askSigners(app, customer, wanted, 'DELETE', { path })));
  assert.deepEqual(statusesOf(replies), [200, 404]);
  assert.equal(await toldOf(wanted), 1);
  assert.equal((await readBack(app, customer, wanted.formId, wanted.id)).awaiting_signatures, 0);
});

test('nothing is told where somebody is withdrawn who need not sign, or nobody has to any more', async () => {
  const signers = [
    { role: 'guardian', email_question: 'guardian_email' },
    { role: 'witness', required: false },
    { role: 'doctor' },
  ];
  const fields = [{ name: 'guardian_email', type: 'email' }];
  const formId = await addForm(app, customer.id, { form_json: { fields, signers } });
  const add = async (guardian: string) => {
    const id = await submitted(app, formId, { form_data: { guardian_email: guardian } });
    return { formId, id, guardian, witness: '' };
  };
  const withdraw = async (wanted: ToBeSigned, role: string) => {
    const path = `/${await idOf(wanted, role)}`;
    assert.equal((await askSigners(app, customer, wanted, 'DELETE', { path })).status, 200);
  };
  const signed = await add('signs-alone@example.com');
  await signBy(app, customer, signed.guardian, 'Gus');
  await withdraw(signed, 'doctor');
  assert.equal(await toldOf(signed), 1);
  await withdraw(signed, 'witness');
  assert.equal(await toldOf(signed), 1, 'it was told before');
  const unsigned = await add('signs-nothing@example.com');
  for (const role of ['doctor', 'guardian', 'witness']) await withdraw(unsigned, role);
  assert.equal(await toldOf(unsigned), 0);
});

test('a file is handed out to whoever has shown a code, and the log tells who read what', async () => {
  const wanted = await addToBeSigned(app, customer);
  const link = await signingLink(app, customer, wanted.guardian);
  const page = await goIn(app, customer, link, wanted.guardian);
  const action = /action="(\/s\/[^"]+\/files\/[^"]+)"/.exec(page.text)?.[1] ?? '';
  const ask = (pass: string) =>
    fetch(app.url + action, { method: 'POST', body: new URLSearchParams({ _pass: pass }), redirect: 'manual' });
  const file = await ask(page.value('_pass') ?? '');
  assert.deepEqual([file.status, await file.text()], [200, 'the card']);
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment/);
  assert.equal((await ask('made.up')).status, 403);
  const other = await addToBeSigned(app, customer);
  const there = await goIn(app, customer, await signingLink(app, customer, other.guardian), other.guardian);
  assert.equal((await ask(there.value('_pass') ?? '')).status, 403, 'the pass of another link');
  clock.advance(HOUR);
  assert.equal((await ask(page.value('_pass') ?? '')).status, 403, 'an hour is over');
  const late = await page.press(SUBMIT, typed('Gus'));
  assert.equal(late.status, 403);
  assert.ok(late.text.includes('open for too long'));
  const rows = await auditOf(app, customer, ['attachment.read']);
  assert.equal(rows.at(-1)?.actor_kind, 'recipient');
});

test('wrong codes are counted, and codes are sent three times an hour', async () => {
  const wanted = await addToBeSigned(app, customer);
  const link = await signingLink(app, customer, wanted.guardian);
  let page = await (await open(app, link)).press(null);
  const code = await mailedCode(app, customer, wanted.guardian);
  const wrong = String((Number(code) + 1) % 10 ** 8).padStart(8, '0');
  assert.equal((await page.press(null, { code: '12' })).status, 422);
  for (const left of [4, 3, 2, 1]) {
    page = await page.press(null, { code: wrong });
    assert.equal(page.status, 403);
    assert.ok(page.text.includes(`Tries left: ${left}`));
  }
  page = await page.press(null, { code: wrong });
  const right = await fetch(`${app.url}${link}/open`, { method: 'POST', body: new URLSearchParams({ code }) });
  assert.equal(right.status, 403, 'the right one is void too');
  await page.press(null);
  clock.advance(11 * 60_000);
  await (await open(app, link)).press(null);
  clock.advance(11 * 60_000);
  assert.equal((await (await open(app, link)).press(null)).status, 429);
});

test('no mail and no line of the log says what it is about', async () => {
  const wanted = await addToBeSigned(app, customer);
  const invited = await lastMail(app, customer, wanted.guardian);
  const link = await signingLink(app, customer, wanted.guardian);
  await signBy(app, customer, wanted.guardian, 'Gus Guardianly');
  const told = [invited, await lastMail(app, customer, wanted.guardian)];
  for (const mail of told) for (const word of [...PRIVATE, 'guardian.']) assert.ok(!mail.includes(word), word);
  const audit = await asOwner(app, async (client) => {
    return JSON.stringify((await client.query('select * from audit_log')).rows);
  });
  for (const word of [...PRIVATE, wanted.guardian, 'Guardianly', link.slice(3)]) {
    assert.ok(!app.logged().includes(word), `${word} is logged`);
    assert.ok(!audit.includes(word), `${word} is in the audit log`);
  }
});
