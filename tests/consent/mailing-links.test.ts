import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { sealTarget } from '../../src/marketing/tracking/link-target.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import { addList, addMail, addPerson, linkTo, rowsOf, visit } from './mailing.ts';

let app: TestApp;
let customer: TestCustomer;

before(async (t) => {
  app = await startApp(t as TestContext);
});

const TARGETS = ['https://one.test/?a=1&b=2', 'https://two.test/'];

/** Somebody who got a mail with two links. */
async function reader() {
  customer = await app.createCustomer();
  const listId = await addList(app, customer);
  const personId = await addPerson(app, customer, 'ann@example.com', listId);
  const mail = await addMail(app, customer, personId, { subscription_list_id: listId });
  const keys = await app.installation.vault.of(customer.id);
  await asOwner(app, async (client) => {
    for (const [number, target] of TARGETS.entries()) {
      const sealed = sealTarget(keys, { sendId: mail.sendId, number }, target);
      await client.query(
        'insert into tracking_links (customer_id, send_id, number, sealed, created_at) values ($1, $2, $3, $4, now())',
        [customer.id, mail.sendId, number, sealed],
      );
    }
  });
  return { ...mail, picture: await linkTo(app, 'mailing-open', mail.mailId) };
}

async function told() {
  const [counts] = await rowsOf(
    app,
    customer,
    'select opened, machine_opened, clicked from send_counts where customer_id = $1',
  );
  const [person] = await rowsOf(
    app,
    customer,
    `select opens, machine_opens, clicks, machine_clicks, first_opened_at is not null as opened,
       first_clicked_at is not null as clicked from mailing_engagement where customer_id = $1`,
  );
  return { counts, person };
}

test('openings are counted, once per person for the send, and those of machines apart', async () => {
  const { picture } = await reader();
  for (const agent of ['Mozilla/5.0', 'BarracudaCentral scanner']) await visit(picture, { 'user-agent': agent });
  assert.deepEqual(await told(), {
    counts: { opened: 0, machine_opened: 1, clicked: 0 },
    person: { opens: 0, machine_opens: 2, clicks: 0, machine_clicks: 0, opened: false, clicked: false },
  });
  const seen = await Promise.all(Array.from({ length: 6 }, () => visit(picture)));
  assert.deepEqual([seen[0]?.status, seen[0]?.headers.get('content-type')], [200, 'image/gif']);
  assert.deepEqual(await told(), {
    counts: { opened: 1, machine_opened: 1, clicked: 0 },
    person: { opens: 6, machine_opens: 2, clicks: 0, machine_clicks: 0, opened: true, clicked: false },
  });
});

test('clicks lead where the link led and are counted by link, once per person for the send', async () => {
  const { mailId } = await reader();
  const [one, two] = [await linkTo(app, 'mailing-click', mailId, 0), await linkTo(app, 'mailing-click', mailId, 1)];
  const scanned = await visit(one, { 'user-agent': 'BarracudaCentral scanner' });
  assert.deepEqual([scanned.status, scanned.headers.get('location')], [302, TARGETS[0]]);
  await Promise.all([visit(one), visit(one), visit(two)]);
  assert.equal((await visit(`${two}?url=https://evil.test`)).headers.get('location'), TARGETS[1]);
  assert.deepEqual(await told(), {
    counts: { opened: 0, machine_opened: 0, clicked: 1 },
    person: { opens: 0, machine_opens: 0, clicks: 4, machine_clicks: 1, opened: false, clicked: true },
  });
  assert.deepEqual(
    await rowsOf(app, customer, 'select link, clicks from mailing_link_clicks where customer_id = $1 order by link'),
    [
      { link: 0, clicks: 2 },
      { link: 1, clicks: 2 },
    ],
  );
});

test('links without a target, or to mails that are gone, lead nowhere; the picture stays a picture', async () => {
  const { mailId } = await reader();
  const nowhere = [await linkTo(app, 'mailing-click', mailId, 2), await linkTo(app, 'mailing-click', randomUUID(), 0)];
  for (const link of nowhere) {
    const { status, headers } = await visit(link);
    assert.deepEqual([status, headers.get('location')], [404, null]);
  }
  assert.equal((await visit(await linkTo(app, 'mailing-open', randomUUID()))).status, 200);
  assert.deepEqual(await told(), { counts: { opened: 0, machine_opened: 0, clicked: 0 }, person: undefined });
});

test("another customer's link opens under that customer's key only", async () => {
  const one = await reader();
  const other = await reader();
  await asOwner(app, (client) =>
    client.query(
      `update tracking_links t set sealed = o.sealed from tracking_links o
       where t.send_id = $1 and o.send_id = $2 and t.number = o.number`,
      [other.sendId, one.sendId],
    ),
  );
  const { status, headers } = await visit(await linkTo(app, 'mailing-click', other.mailId, 0));
  assert.deepEqual([status, headers.get('location')], [500, null]);
});
