import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { submitted } from '../submissions/submitting.ts';
import { type Reply, type RequestOptions, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { findEndpoints } from '../support/endpoints.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { signIn } from '../support/people-session.ts';

const READS = 'nothing is made or sent: it reads by what stands in its body';
const STATE =
  'nothing is made or sent: it stops or puts away, which is so already or refused when it is asked for again';
const ANEW = 'what it makes takes the place of what was made before, so that nothing is there twice';
const ENTERING = 'it is a step of signing in, which a code or a challenge lets through once';
const ITSELF = 'it reads the key itself, since its body is a stream or nobody has to have an API key';

/** What is a POST and does not look at an Idempotency-Key like the others, and why. */
const EXCEPTIONS: Record<string, string> = {
  previewTemplate: READS,
  previewForm: READS,
  previewCampaignMailing: READS,
  simulateDripCampaign: READS,
  countDynamicList: READS,
  searchSubscribers: READS,
  exportPerson: READS,
  checkSendingDomain: READS,
  askForUnansweredMessage: READS,
  archiveForm: STATE,
  unarchiveForm: STATE,
  changeManyWorks: STATE,
  pauseCampaignMailingSend: STATE,
  cancelCampaignMailingSend: STATE,
  pauseDripCampaign: STATE,
  completeDripCampaign: STATE,
  submitForm: ITSELF,
  createImport: ITSELF,
  signOut: STATE,
  dismissChecklist: STATE,
  closeCustomer: STATE,
  releaseHold: STATE,
  resetMemberFactors: STATE,
  endOtherSessions: STATE,
  verifyAuditLog: STATE,
  retrySideJob: STATE,
  signReview: STATE,
  signInstallationReview: STATE,
  approveEmergencyAccess: STATE,
  endEmergencyAccess: STATE,
  openBreakGlass: STATE,
  enterBreakGlass: STATE,
  leaveBreakGlass: STATE,
  endBreakGlass: STATE,
  addTotp: ANEW,
  beginPasskey: ANEW,
  makeRecoveryCodes: ANEW,
  askForAddress: ANEW,
  forgetPassword: ANEW,
  changePassword: ANEW,
  signInWithTotp: ENTERING,
  signInWithRecoveryCode: ENTERING,
  signInWithPasskey: ENTERING,
  stepUpWithTotp: ENTERING,
  stepUpWithPasskey: ENTERING,
  beginStepUpWithPasskey: ENTERING,
  beginSignInWithPasskey: ENTERING,
  signIn: ENTERING,
  setUpUser: ENTERING,
  resetPassword: ENTERING,
  confirmTotp: ENTERING,
  addPasskey: ENTERING,
  changeAddress: ENTERING,
};

let app: TestApp;
let customer: TestCustomer;
let nodes: TestApp[];
before(async (t) => {
  app = await startApp(t as TestContext);
  nodes = [app, await startApp(t as TestContext, { beside: app })];
  customer = await app.createCustomer();
});

test('every POST that makes or sends something looks at the Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'x'.repeat(256) };
  const posts = (await findEndpoints(app, customer)).filter(({ method, canonical }) => method === 'POST' && canonical);
  const careless: string[] = [];
  for (const { operation, path, area } of posts) {
    const asked = { body: {}, headers };
    const { text } =
      area === 'dashboard'
        ? await askAsPerson(path, asked)
        : await app.request('POST', path, { ...asked, key: customer.key });
    if (!text.includes('Idempotency-Key')) careless.push(operation);
  }
  assert.deepEqual(careless.toSorted(), Object.keys(EXCEPTIONS).toSorted());
});

/** Calls as somebody who has just signed in, whom the call may sign out. */
async function askAsPerson(path: string, asked: RequestOptions): Promise<Reply> {
  const isOperators = path.startsWith('/app/api/operator/');
  const person = await signIn(app, isOperators ? null : customer, isOperators ? 'operator' : 'owner');
  return person.request('POST', path, asked);
}

interface Repeated {
  path: string;
  body?: object;
  /** What there is too much of where it was done twice. */
  effects: string;
}

const post = async (path: string, body: object) => (await app.request('POST', path, { key: customer.key, body })).body;

async function forms(): Promise<Record<string, Repeated>> {
  const formId = await addForm(app, customer.id);
  const id = await submitted(app, formId, { form_data: { a: 1 } });
  const base = `/v1/forms/api/forms/${formId}`;
  return {
    note: { path: `${base}/submissions/${id}/notes`, body: { text: 'Call back' }, effects: 'submission_notes' },
    signer: {
      path: `${base}/submissions/${id}/signers`,
      body: { role: 'witness', email: 'wim@example.com', name: 'Wim' },
      effects: 'messages',
    },
    links: { path: `${base}/links`, body: { count: 2 }, effects: `form_links` },
  };
}

async function others(): Promise<Record<string, Repeated>> {
  const events = ['api_mail_log_delivered'];
  const { data } = await post('/v1/webhooks/endpoints', { target_url: 'http://127.0.0.1:9/', events });
  const message = {
    recipients: ['ann@example.com'],
    headers: { from: 'a@example.org' },
    content: { 'text/plain': 'x' },
  };
  const scheduled_at = new Date(Date.now() + 3600_000).toISOString();
  const { sourceTrackingId } = await post('/v1/email/schedule', { data: { message, scheduled_at } });
  const made = await app.request('POST', '/v1/marketing/imports?dry_run=true', {
    key: customer.key,
    raw: 'email\nann@example.com\n',
    headers: { 'content-type': 'text/csv' },
  });
  await asOwner(app, (client) => client.query(`update imports set state = 'done'`));
  const domain = await post('/v1/email/sending_domains', { domain: 'example.org' });
  await asOwner(app, (client) => client.query('update dkim_keys set seen_at = now()'));
  return {
    test: { path: `/v1/webhooks/endpoints/${data.id}/test`, body: {}, effects: 'webhook_deliveries' },
    secret: { path: `/v1/webhooks/endpoints/${data.id}/rotate_secret`, effects: acts('webhook.secret-rotated') },
    replay: {
      path: `/v1/webhooks/endpoints/${data.id}/replay`,
      body: { from_sequence: 1 },
      effects: acts('webhook.replayed'),
    },
    cancel: { path: `/v1/email/schedule/${sourceTrackingId}/cancel`, effects: acts('message.cancelled') },
    rotate: { path: `/v1/email/sending_domains/${domain.data.id}/rotate_keys`, effects: acts('domain.keys-rotated') },
    start: { path: `/v1/marketing/imports/${made.body.data.id}/start`, effects: acts('import.started') },
  };
}

const acts = (action: string) => `(select * from audit_log where action = '${action}') as acts`;

async function count(effects: string): Promise<number> {
  const { rowCount } = await asOwner(app, (client) =>
    client.query(`select from ${effects} where customer_id = $1`, [customer.id]),
  );
  return rowCount ?? 0;
}

test('of many at once with one key, on two nodes, one is carried out and all answer it', async () => {
  for (const [name, { path, body, effects }] of Object.entries({ ...(await forms()), ...(await others()) })) {
    const beforehand = await count(effects);
    const headers = { 'idempotency-key': `once-${name}` };
    const ask = (node: TestApp) => node.request('POST', path, { key: customer.key, headers, ...(body && { body }) });
    const replies = await Promise.all([...nodes, ...nodes, ...nodes].map(ask));
    for (const { status, text } of replies) {
      assert.ok(status < 300, `${name}: ${status} ${text}`);
      assert.equal(text, replies[0]?.text, name);
    }
    const first = replies.filter((reply) => reply.headers.get('idempotency-replayed') === null);
    assert.equal(first.length, 1, name);
    assert.equal((await count(effects)) - beforehand, name === 'links' ? 2 : 1, name);
    const other = await app.request('POST', path, { key: customer.key, headers, body: { other: 1 } });
    assert.equal(other.status, body === undefined ? 200 : 409, name);
  }
});

test('a key that comes with another id in the address is a conflict, and does nothing there', async () => {
  const [first, second] = [(await forms()).links as Repeated, (await forms()).links as Repeated];
  const ask = ({ path, body }: Repeated) =>
    app.request('POST', path, {
      key: customer.key,
      headers: { 'idempotency-key': 'of the first' },
      ...(body && { body }),
    });
  assert.ok((await ask(first)).status < 300);
  const earlier = await count(first.effects);
  assert.equal((await ask(second)).status, 409);
  assert.equal(await count(second.effects), earlier);
});

test('what is repeated of a note or a signer is read anew, and gone with it', async () => {
  const { note, signer } = (await forms()) as { note: Repeated; signer: Repeated };
  for (const { path, body } of [note, signer]) {
    const ask = () => app.request('POST', path, { key: customer.key, headers: { 'idempotency-key': path }, body });
    const { data } = (await ask()).body;
    await app.request('DELETE', `${path}/${data.id}`, { key: customer.key });
    const again = await ask();
    if (path === note.path) assert.equal(again.body.data.text, null);
    else assert.equal(again.status, 404);
  }
});
