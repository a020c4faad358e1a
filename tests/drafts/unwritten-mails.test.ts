import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { addOpenForm } from '../page/page-requests.ts';
import { open, type Page } from '../page/visitor.ts';
import { addToBeSigned, signingLink } from '../signing/signing.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { asOwner } from '../support/owner.ts';
import { mailedCode, mailedLink, resume, SAVE } from './saving.ts';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

let counter = 0;
const newAddress = () => `unwritten-${(counter += 1)}@example.com`;

/** Does something while no mail can be written, of which nothing that is kept of drafts and signers changes. */
async function whileNoMail(work: () => Promise<Page>): Promise<void> {
  const first = await kept();
  await asOwner(app, (client) =>
    client.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger refused before insert on messages for each row execute function refuse()`),
  );
  try {
    assert.equal((await work()).status, 500);
  } finally {
    await asOwner(app, (client) => client.query('drop function refuse() cascade'));
  }
  assert.deepEqual(await kept(), first);
}

async function kept(): Promise<string[]> {
  const tables = ['form_drafts', 'form_draft_codes', 'form_uploads', 'submission_signer_codes', 'audit_log'];
  return asOwner(app, async (client) => {
    const found: string[] = [];
    for (const table of tables) {
      for (const { row } of (await client.query(`select t::text as row from ${table} t order by 1`)).rows) {
        found.push(`${table} ${row}`);
      }
    }
    return found;
  });
}

/** A form that was saved with a file, about to be mailed the way back to. */
async function saved(): Promise<Page> {
  const fields = [
    { name: 'name', type: 'text' },
    { name: 'card', type: 'file' },
  ];
  const formId = await addOpenForm(app, customer, { resumable: true }, { form_json: { fields }, recipient: null });
  const page = await open(app, `/f/${formId}`);
  return page.press(SAVE, { 'q.name': 'Ann' }, [{ control: 'q.card', name: 'card.txt', content: 'the card' }]);
}

test('where the mail of a link cannot be written, a draft keeps the link and the address that it had', async () => {
  const asked = await saved();
  await whileNoMail(() => asked.press(null, { email: newAddress() }));
  const address = newAddress();
  await asked.press(null, { email: address });
  const link = await mailedLink(app, customer, address);
  await whileNoMail(() => asked.press(null, { email: newAddress() }));
  const there = await resume(app, customer, link, address);
  assert.deepEqual([there.status, there.value('q.name'), there.files], [200, 'Ann', { card: ['card.txt'] }]);
});

test('where the mail of a code cannot be written, the code before it is good and none is counted', async () => {
  const [asked, address] = [await saved(), newAddress()];
  await asked.press(null, { email: address });
  const entrance = await open(app, await mailedLink(app, customer, address));
  const waiting = await entrance.press(null);
  for (let i = 0; i < 3; i += 1) await whileNoMail(() => entrance.press(null));
  const code = await mailedCode(app, customer, address);
  assert.equal((await waiting.press(null, { code })).value('q.name'), 'Ann');
  assert.equal((await entrance.press(null)).status, 200);
});

test('where the mail of a signer’s code cannot be written, the code before it is good and none is counted', async () => {
  const { guardian } = await addToBeSigned(app, customer);
  const entrance = await open(app, await signingLink(app, customer, guardian));
  const waiting = await entrance.press(null);
  for (let i = 0; i < 3; i += 1) await whileNoMail(() => entrance.press(null));
  const there = await waiting.press(null, { code: await mailedCode(app, customer, guardian) });
  assert.ok(there.text.includes('private-card.txt'));
  assert.equal((await entrance.press(null)).status, 200);
});
