import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/people-session.ts';
import { addMailing, addPerson, ask, inbox } from './mailing.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

type Fields = Record<string, unknown>;
type Problem = { field: string; severity: string; message: string };

const RICH = [
  { type: 'heading', text: 'Hello {{first_name}}', level: 2, align: 'center' },
  {
    type: 'rich_text',
    parts: [
      {
        type: 'paragraph',
        lines: [[{ text: 'Read ' }, { text: 'this', bold: true, italic: true, link: 'https://maple.example/this' }]],
      },
      { type: 'bullets', lines: [[{ text: 'One & only' }], [{ text: 'Two' }]] },
    ],
  },
  { type: 'button', label: 'Book', url: 'https://maple.example/book', colour: '#ffffff' },
  { type: 'image', url: 'https://maple.example/a.png', alt: 'The door', width: 200, link: 'https://maple.example/map' },
  { type: 'social', links: [{ label: 'Website', url: 'https://maple.example/' }] },
  { type: 'footer', text: 'Clinic\n1 Main Street', unsubscribe: 'Leave' },
];

async function preview(customer: TestCustomer, campaign_mailing: Fields, subscriber_id?: string) {
  const body = { campaign_mailing, ...(subscriber_id === undefined ? {} : { subscriber_id }) };
  return (await ask(app, customer, 'POST', '/campaign_mailings/preview', body)).body.data;
}

/** A text of one run. */
const line = (run: Fields) => [{ type: 'rich_text', parts: [{ type: 'paragraph', lines: [[run]] }] }];

const audited = async (customer: TestCustomer) =>
  app.installation.db.tenant([customer.id], (tx) =>
    tx.selectFrom('audit_log').select(['action', 'target']).where('action', '=', 'mailing.previewed').execute(),
  );

test('blocks are previewed for somebody made up as every reader gets them', async () => {
  const customer = await app.createCustomer();
  const mailing = {
    template_type: 'blocks',
    blocks: RICH,
    default_subject: 'Dear {{full_name}}',
    preheader: 'News',
    from: 'a@example.org',
  };
  const { subject, preheader, html, text, problems } = await preview(customer, mailing);
  assert.equal(subject, 'Dear Alex Morgan');
  assert.equal(preheader, 'News');
  assert.match(html, /<h2 [^>]*>Hello Alex<\/h2>/);
  assert.match(html, /<a href="https:\/\/maple\.example\/this"><strong><em>this<\/em><\/strong><\/a>/);
  assert.match(html, /<ul [^>]*><li [^>]*>One &amp; only<\/li>/);
  assert.match(html, /color:#000000;[^>]*>\s*Book/, 'black stands out on white');
  assert.match(html, /<a href="https:\/\/maple\.example\/map"[^>]*>\s*<img [^>]*alt="The door"/);
  assert.match(html, />Leave<\/a>/);
  assert.match(text, /Hello Alex/);
  assert.deepEqual(problems, []);
  assert.deepEqual(await audited(customer), [], 'nobody was looked at');
});

test('pictures without an end keep nobody waiting', async () => {
  const customer = await app.createCustomer();
  const html_part = `<p><a href="{{unsubscribe_url}}">x</a></p>${'<img'.repeat(100_000)}`;
  const started = performance.now();
  await preview(customer, { html_part, default_subject: 'x' });
  assert.ok(performance.now() - started < 60_000); // the square of it would be ten minutes
});

test('a named person is shown with their own values, which is written down, and not to a reader', async () => {
  const customer = await app.createCustomer();
  await ask(app, customer, 'POST', '/subscriber_custom_field_types', { name: 'Diagnosis', class: 'phi' });
  const person = await addPerson(app, customer, {
    email: 'ben@example.com',
    first_name: 'Ben',
    custom_fields: [{ Diagnosis: 'flu' }],
  });
  const mailing = { html_part: '<p>{{first_name}} has {{diagnosis}}</p>', default_subject: 'x' };
  assert.match((await preview(customer, mailing, person)).html, /Ben has flu/);
  assert.deepEqual(await audited(customer), [{ action: 'mailing.previewed', target: person }]);
  const reader = await signIn(app, customer, 'reader');
  const path = '/v1/marketing/campaign_mailings/preview';
  for (const subscriber_id of [null, person]) {
    const refused = await reader.request('POST', path, { body: { campaign_mailing: mailing, subscriber_id } });
    assert.equal(refused.status, 403);
  }
});

test('what is wrong with a mailing is told by its place, and what could be better beside it', async () => {
  const customer = await app.createCustomer();
  await ask(app, customer, 'POST', '/subscriber_custom_field_types', { name: 'Diagnosis', class: 'phi' });
  const fieldsOf = async (mailing: Fields) => {
    const { html, problems } = await preview(customer, mailing);
    return {
      html,
      errors: (problems as Problem[]).filter(({ severity }) => severity === 'error').map(({ field }) => field),
    };
  };
  const blocks = (given: unknown) => fieldsOf({ template_type: 'blocks', blocks: given });
  assert.deepEqual(await blocks(line({ text: 'x', link: 'javascript:alert(1)' })), {
    html: null,
    errors: ['blocks[0].parts[0].lines[0][0].link'],
  });
  assert.deepEqual((await blocks(line({ text: 'Hello {{first_name' }))).errors, ['blocks[0].parts[0].lines[0]']);
  assert.deepEqual((await blocks(line({ text: 'x', link: 'https://example.org/?d={{diagnosis}}' }))).errors, [
    'blocks[0].parts[0].lines[0][0].link',
  ]);
  assert.deepEqual((await blocks([{ type: 'social', links: [{ label: 'x', url: 'ftp://example.org' }] }])).errors, [
    'blocks[0].links[0].url',
  ]);
  assert.deepEqual((await fieldsOf({ html_part: '<p>x</p>', default_subject: '{{diagnosis}}' })).errors, ['subject']);
  assert.deepEqual((await fieldsOf({})).errors, ['body']);

  const { problems } = await preview(customer, {
    default_subject: 'FREE PRIZE!!',
    html_part: '<p>{{nickname}}</p><img src="https://example.org/a.png"><a href="http://example.org/">x</a>',
  });
  const said = (problems as Problem[]).map(({ message }) => message).join('\n');
  for (const part of [
    /who the mail is from/,
    /called nickname/,
    /capitals/,
    /exclamation/,
    /spam filters/,
    /no description/,
    /little more than pictures/,
    /http:\/\//,
    /unsubscribe link, so one is added/,
    /preview text/,
  ]) {
    assert.match(said, part);
  }
});

test('what a mailing still has of its samples is named before it is sent', async () => {
  const customer = await app.createCustomer();
  const said = async (mailing: Fields) => {
    const { problems } = await preview(customer, { from: 'a@maple.example', preheader: 'x', ...mailing });
    return (problems as Problem[]).filter(({ severity }) => severity === 'warning').map(({ message }) => message);
  };
  const button = { type: 'button', label: 'Book', url: 'https://example.com/' };
  const blocks = [
    ...line({ text: 'Write here what you want to say.' }),
    { type: 'columns', columns: [[button, button], []] },
    { type: 'image', url: 'https://www.example.net/picture.png', alt: 'What the picture shows' },
    { type: 'footer', text: 'Maple Street Clinic\nStreet and number, city', unsubscribe: 'Leave' },
  ];
  const expected = [
    /“Write here what you want to say\.”/,
    /“What the picture shows”/,
    /link.*example\.com/,
    /picture.*example\.net/,
    /“Street and number, city”.*postal address/,
  ];
  const found = await said({ template_type: 'blocks', blocks, default_subject: 'News' });
  assert.equal(found.length, expected.length);
  for (const [at, part] of expected.entries()) assert.match(found[at] ?? '', part);

  const html_part = '<p>Write here what you want to say.</p><a href="https://example.org/a">x</a>';
  assert.equal((await said({ html_part, default_subject: 'News' })).length, 2);
  const quoted = `<a href='https://example.com/a'>x</a><img src=https://www.example.net/a.png alt=x>`;
  const unlike = '<p title=\'href="https://example.org"\'>x</p>';
  const named = (await said({ html_part: quoted + unlike, default_subject: 'News' })).join('\n');
  assert.match(named, /link.*example\.com/);
  assert.match(named, /picture.*example\.net/);
  assert.doesNotMatch(named, /example\.org/);
  const own = '<p>Write to us.</p><a href="https://myexample.com/example.com">x</a>';
  assert.deepEqual(await said({ html_part: own, default_subject: 'News' }), []);
});

test('a test is sent to an address that stands in no URL', async () => {
  const customer = await app.createCustomer();
  const id = await addMailing(app, customer, { template_type: 'blocks', html_part: null, blocks: RICH });
  await ask(app, customer, 'POST', `/campaign_mailings/${id}/send_test_email`, { to_email: 'desk@example.org' });
  await eventually(async () =>
    (await inbox(app, customer)).some(({ subject }) => subject === '[Test] News of the clinic'),
  );
  const path = `/v1/marketing/campaign_mailings/${id}/send_test_email`;
  const once = { key: customer.key, headers: { 'idempotency-key': 'once' }, body: { to_email: 'door@example.org' } };
  for (const replayed of [null, 'true']) {
    const reply = await app.request('POST', path, once);
    assert.deepEqual([reply.status, reply.headers.get('idempotency-replayed')], [204, replayed]);
  }
  const { body: log } = await app.request('GET', '/v1/email/message_log', { key: customer.key });
  assert.equal(log.data.length, 2, 'one to the desk, and one to the door');
  const refused = await app.request('POST', path, { key: customer.key, body: { to_email: 'nowhere' } });
  assert.equal(refused.status, 400);
  assert.ok(!refused.text.includes('nowhere'));
});
