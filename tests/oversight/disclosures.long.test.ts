import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { isDisclosure } from '../../src/accounts/oversight/reads/action-kinds.ts';
import { recordsOf } from '../../src/accounts/oversight/reads/records-of.ts';
import { signAll } from '../evidence/kept.ts';
import { type Reply, startApp, type TestApp } from '../support/app.ts';
import { type Endpoint, findEndpoints } from '../support/endpoints.ts';
import { ID_PLACES } from '../support/id-places.ts';
import { asOwner, createOwner, type Owner } from '../support/owner.ts';
import { auditActions } from './audit-actions.ts';

let app: TestApp;
let owner: Owner;
before(async (context) => {
  const t = context as TestContext;
  const busy = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  owner = await createOwner(busy);
  await busy.stop();
  app = await startApp(t, { beside: busy });
  await signAll(t, app); // or else there is no evidence of the newest message for a minute
});

const ALL = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };

/** What a call needs that no id can stand for. */
const QUERIES: Record<string, () => Record<string, string>> = {
  whoRead: () => ({ actor_kind: 'key', actor: owner.keyId, ...ALL }),
  listMessages: () => ({ to: owner.recipient }),
  explainRoute: () => ({ domain: 'example.org' }),
};

/** Operations that show people without being a GET. */
const BODIES: Record<string, () => object> = {
  searchSubscribers: () => ({ items: 10 }),
  countDynamicList: () => ({ filters: [[{ field: 'email', op: 'is_not', terms: ['nobody@example.net'] }]] }),
  previewCampaignMailing: () => ({
    campaign_mailing: { subject: 'Shown', from: owner.recipient, html_part: '<p>{{first_name}}</p>' },
    subscriber_id: owner.subscriberId,
  }),
  simulateDripCampaign: () => ({ people: [{ subscriber_id: owner.subscriberId }] }),
  exportPerson: () => ({ email: `${owner.mark}@example.com` }),
};

/** Tells of what the others showed. */
const LAST = new Set(['whoRead', 'exportIncident', 'exportIncidentCsv']);

/** What anybody may read, and what belongs to the installation, shows nobody of a customer. */
const isOfCustomers = ({ operation, path }: Endpoint) =>
  !operation.startsWith('readPublicForm') && !path.startsWith('/app/api/operator');

/** Files of the kind of those that name people, with nothing but counts. */
const COUNTS_ALONE = new Set(['exportSendTotals', 'exportSendsTable', 'exportLinksByUrl']);

/** Done by a command alone. */
const BY_COMMAND = new Set(['customer.exported']);

/** Asks as whoever owns everything, with an id of their own wherever one stands. */
async function ask({ operation, method, path, base }: Endpoint): Promise<Reply> {
  const [query, body] = [QUERIES[operation]?.(), BODIES[operation]?.()];
  const place = ID_PLACES[operation]?.find(({ foreign }) => foreign(owner).length > 0);
  if (place !== undefined && query === undefined && body === undefined)
    return place.ask(app, owner, place.foreign(owner)[0] as string);
  const { cookie, csrf } = owner.person;
  const who = base === '/app/api' ? { headers: { cookie, 'x-csrf-token': csrf } } : { key: owner.key };
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  return app.request(method, path + search, { ...who, ...(body && { body }) });
}

interface Disclosure {
  operation: string;
  action: string;
  /** Whether any row says whose records were shown. */
  isNamed: boolean;
}

/** What the audit log has of requests that showed somebody records, by operation and action. */
async function disclosuresOf(operations: Map<string, string>): Promise<Disclosure[]> {
  const { rows } = await asOwner(app, (client) =>
    client.query('select id, action, target, details, request_id from audit_log where request_id = any($1)', [
      [...operations.keys()],
    ]),
  );
  const found = new Map<string, Disclosure>();
  for (const row of rows.filter(({ action }) => isDisclosure(action))) {
    const { records, wholes } = recordsOf(row);
    const operation = operations.get(row.request_id) as string;
    const known = found.get(row.request_id)?.isNamed === true;
    found.set(row.request_id, { operation, action: row.action, isNamed: known || records.length + wholes.length > 0 });
  }
  return [...found.values()];
}

/** Lets the incident be about what the key read. */
async function scopeIncident(): Promise<void> {
  const { cookie, csrf } = owner.person;
  const path = `/app/api/incidents/${owner.incidentId}`;
  const { body: known } = await app.request('GET', path, { headers: { cookie } });
  const scope = { actor_kind: 'key', actor_id: owner.keyId, ...ALL };
  const headers = { cookie, 'x-csrf-token': csrf };
  const { status, text } = await app.request('PUT', path, { headers, body: { ...known, scope } });
  assert.equal(status, 200, text);
}

test('every route that shows records of people names them in the audit log', async () => {
  await scopeIncident();
  const endpoints = (await findEndpoints(app, owner, { simulateDripCampaign: owner.dripIds[0] }))
    .filter(({ canonical, method, operation }) => canonical && (method === 'GET' || operation in BODIES))
    .filter(isOfCustomers)
    .toSorted((one, other) => Number(LAST.has(one.operation)) - Number(LAST.has(other.operation)));
  const operations = new Map<string, string>();
  for (const endpoint of endpoints) {
    const reply = await ask(endpoint);
    assert.ok(reply.status < 300, `${endpoint.operation} ${reply.text.slice(0, 200)}`);
    operations.set(reply.headers.get('x-request-id') ?? '', endpoint.operation);
  }
  const found = (await disclosuresOf(operations)).filter(({ operation }) => !COUNTS_ALONE.has(operation));
  const nameless = found.filter(({ isNamed }) => !isNamed).map(({ operation, action }) => `${operation} ${action}`);
  assert.deepEqual(nameless, [], 'they name whom they showed');
  const shown = new Set(found.map(({ action }) => action));
  const disclosures = auditActions().filter((action) => isDisclosure(action) && !BY_COMMAND.has(action));
  assert.deepEqual(
    disclosures.filter((action) => !shown.has(action)),
    [],
    'each was asked for: give BODIES what it takes',
  );
});
