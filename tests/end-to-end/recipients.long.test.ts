import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { type SignedIn, signIn } from '../support/people-session.ts';
import { newKey } from './sealing.ts';

const fingerprint = (recipient: string) => createHash('sha256').update(recipient).digest('hex');

test('who can read an encrypted form is changed by an admin with a fresh factor or a key, and the log tells to whom', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const customer = await app.createCustomer();
  const [ours, paper, theirs] = [(await newKey()).recipient, (await newKey()).recipient, (await newKey()).recipient];
  const id = await addForm(app, customer.id);
  const path = `/v1/forms/api/forms/${id}/page`;
  const put = (person: SignedIn, body: object) => person.request('PUT', path, { body });
  const sealedTo = async () => (await app.request('GET', path, { key: customer.key })).body.sealed_to;

  const made = await app.request('PUT', path, { key: customer.key, body: { sealed_to: [ours] } });
  assert.deepEqual([made.status, made.body.sealed_to], [200, [ours]], 'as the documents say');

  const editor = await signIn(app, customer, 'editor');
  for (const sealed_to of [[ours, theirs], [theirs], []]) {
    const refused = await put(editor, { sealed_to });
    assert.deepEqual([refused.status, refused.headers.get('step-up')], [403, null]);
  }
  const rest = await put(editor, { sealed_to: [ours], traps: 'enforce' });
  assert.deepEqual([rest.status, rest.body.traps], [200, 'enforce'], 'the rest stays with editors');

  clock.advance(1_000);
  const admin = await signIn(app, customer, 'admin');
  assert.equal((await put(admin, { sealed_to: [ours, paper] })).status, 200);
  assert.equal((await put(admin, { sealed_to: [paper, ours] })).status, 200, 'in another order, to the same');
  clock.advance(10 * 60_000);
  const late = await put(admin, { sealed_to: [ours, paper, theirs] });
  assert.deepEqual([late.status, late.headers.get('step-up')], [403, 'required']);
  assert.deepEqual(await sealedTo(), [paper, ours]);

  const { body } = await (await signIn(app, customer, 'admin')).request(
    'GET',
    '/app/api/audit_log?action=form.recipients-changed',
  );
  assert.deepEqual(
    body.data.map(({ target, details }: { target: string; details: object }) => [target, details]),
    [
      [id, { recipients: [ours, paper].map(fingerprint), before: [fingerprint(ours)] }],
      [id, { recipients: [fingerprint(ours)], before: [] }],
    ],
  );
});
