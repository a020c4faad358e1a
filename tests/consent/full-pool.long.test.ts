import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { APP_CONNECTIONS } from '../../src/platform/db/connections.ts';
import { addSend } from '../analytics/sent.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { messageTo, receiptOf, send } from '../support/mail.ts';
import { addList, addMail, addPerson, linkTo, oneClick, visit } from './mailing.ts';

let app: TestApp;
let customer: TestCustomer;
let person: string;
let mailId: string;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  const listId = await addList(app, customer);
  person = await addPerson(app, customer, 'ann@example.com', listId);
  ({ mailId } = await addMail(app, customer, person, { subscription_list_id: listId }));
});

/** What is answered to requests that take every connection, each of which needs keys that nobody has fetched yet. */
async function answersAtOnce(ask: () => Promise<{ status: number }>): Promise<number[]> {
  app.installation.vault.forget(customer.id);
  const replies = await Promise.all(Array.from({ length: 2 * APP_CONNECTIONS }, ask));
  return [...new Set(replies.map(({ status }) => status))];
}

const read = (path: string) => () => app.request('GET', path, { key: customer.key });

test('the links of a mailing are followed while every connection is taken', async () => {
  const [preferences, wayOut] = [
    await linkTo(app, 'preferences', person),
    await linkTo(app, 'mailing-unsubscribe', mailId),
  ];
  assert.deepEqual(await answersAtOnce(() => visit(preferences)), [200]);
  assert.deepEqual(await answersAtOnce(() => visit(wayOut)), [200]);
  assert.deepEqual(await answersAtOnce(() => oneClick(wayOut)), [200], 'a mail program does not try again');
  const noLink = await linkTo(app, 'mailing-click', mailId, 1);
  assert.deepEqual(await answersAtOnce(() => visit(noLink)), [404]);
});

test('so are those of a message, and its receipt is read', async () => {
  const id = await send(app, customer.key, messageTo('Ann <ann@example.com>'));
  const [noLink, wayOut] = [await linkTo(app, 'click', id, 1), await linkTo(app, 'unsubscribe', id)];
  assert.deepEqual(await answersAtOnce(() => visit(noLink)), [404]);
  assert.deepEqual(await answersAtOnce(() => oneClick(wayOut)), [200]);
  assert.deepEqual(await answersAtOnce(() => receiptOf(app, customer.key, id)), [200]);
});

test('so are notes, and reports of links', async () => {
  const formId = await addForm(app, customer.id);
  const submission = await submitted(app, formId, { form_data: { a: 1 } });
  assert.deepEqual(await answersAtOnce(read(`/api/forms/${formId}/submissions/${submission}/notes`)), [200]);
  const { sendId } = await addSend(app, customer, [], { targets: ['https://example.org/'] });
  const report = `/v1/marketing/analytics/tracking_links_by_unique_link?campaign_mailing_send_id=${sendId}`;
  assert.deepEqual(await answersAtOnce(read(report)), [200]);
  assert.deepEqual(await answersAtOnce(read(report.replace('?', '/csv?'))), [200]);
});
