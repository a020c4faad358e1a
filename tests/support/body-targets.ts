import assert from 'node:assert/strict';
import { Compile } from 'typebox/schema';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import type { Role } from '../../src/platform/http/access.ts';
import type { TestApp, TestCustomer } from './app.ts';
import { CEREMONIES, DASHBOARD_SAMPLES } from './dashboard-samples.ts';
import { type Endpoint, findEndpoints } from './endpoints.ts';
import { addForm } from './forms.ts';
import { type SignedIn, signIn } from './people-session.ts';
import { type Answer, type RawBody, rawRequest } from './raw-request.ts';
import {
  BODY_LIMITS,
  CHANGING,
  DEFAULT_BODY_LIMIT,
  DELIVERY_ID,
  DRIP,
  FORM_JSON,
  PUBLIC,
  SAMPLES,
  TARGET,
  TEMPLATE,
} from './samples.ts';

/** An endpoint that takes a body. */
export interface Target extends Endpoint {
  sample: object;
  limit: number;
  fits(body: unknown): boolean;
}

export interface Targets {
  all: Target[];
  canonical: Target[];
  /** One of every operation, and one at every other base: there the same code answers. */
  spread: Target[];
  send(target: Target, body: RawBody, headers?: Record<string, string>): Promise<Answer>;
  /** Takes away what the samples make, so that its names are free again. */
  forget(client: Client): Promise<void>;
}

const { email: INVITED } = DASHBOARD_SAMPLES.inviteMember as { email: string };

export const JSON_TYPE = { 'content-type': 'application/json' };

/** Everything that takes a body, at addresses that name something. */
export async function findTargets(app: TestApp, customer: TestCustomer): Promise<Targets> {
  const { templateId, endpointId, own, ids } = await createNamed(app, customer);
  const owner = await signInFor(app, customer, 'owner');
  const operator = await signInFor(app, null, 'operator');
  const all = (await findEndpoints(app, customer, ids)).flatMap((endpoint) => {
    const { operation, schema } = endpoint;
    if (schema === null) return [];
    const template = SAMPLES[operation];
    assert.ok(template, `${operation} needs a sample of its body`);
    const sample = withOwnIds(template, { customer_id: customer.id, ...own });
    const validator = Compile(schema);
    const fits = (body: unknown) => validator.Check(JSON.parse(JSON.stringify(body)));
    return [{ ...endpoint, sample, limit: BODY_LIMITS[operation] ?? DEFAULT_BODY_LIMIT, fits }];
  });
  return {
    all,
    canonical: all.filter(({ canonical }) => canonical),
    spread: [
      ...all.filter(({ canonical }) => canonical),
      ...Map.groupBy(
        all.filter(({ canonical }) => !canonical),
        ({ base }) => base,
      )
        .values()
        .flatMap(([first]) => (first === undefined ? [] : [first])),
    ],
    async send(target, body, headers = JSON_TYPE) {
      const { operation, method, path } = target;
      if (!path.startsWith('/app/api/') || PUBLIC.has(operation)) {
        const authorization = `Bearer ${customer.key}`;
        return rawRequest(app.url, method, path, { headers: { authorization, ...headers }, body });
      }
      if (CEREMONIES.has(operation)) await forgive(app); // or else the fifth would end the session
      const { cookie, csrf } = path.startsWith('/app/api/operator/') ? operator : owner;
      return rawRequest(app.url, method, path, { headers: { cookie, 'x-csrf-token': csrf, ...headers }, body });
    },
    forget: async (client) => {
      await client.query(
        'update dynamic_templates set deleted_at = now() where deleted_at is null and name <> $1 and id <> $2',
        [TEMPLATE.name, templateId],
      );
      const others = 'update webhook_endpoints set deleted_at = now() where deleted_at is null and id <> $1';
      await client.query(others, [endpointId]);
      await client.query('delete from custom_field_types where id <> $1', [ids.subscriber_custom_field_types]);
      await client.query('delete from subscriptions where subscription_list_id = $1', [ids.subscription_lists]);
      await client.query('update campaign_mailings set deleted_at = now() where id <> $1', [ids.campaign_mailings]);
      const rests = `update drip_campaigns set state = 'paused', paused_at = now(), live_version = 1 where id = $1`;
      await client.query(rests, [ids.drip_campaigns]);
      await client.query('delete from submission_amendments');
      await client.query('delete from submission_notes');
      await client.query('delete from form_export_jobs');
      await client.query(`delete from user_setup_links l using users u where u.id = l.user_id and u.email = $1`, [
        INVITED,
      ]);
      await client.query('delete from users where email = $1', [INVITED]);
      await client.query('delete from submission_signers');
      await client.query('delete from form_pages');
      await client.query('update forms set vanity_url = null, active = true, archived = false');
    },
  };
}

/** Somebody whose second factor stays fresh, however long the tests take. */
async function signInFor(app: TestApp, customer: TestCustomer | null, role: Role): Promise<SignedIn> {
  const person = await signIn(app, customer, role);
  await withConnection(app.installation.ownerUrl, (client) =>
    client.query(
      `update user_sessions set fresh_at = now() + interval '1 day', seen_at = now() + interval '1 day',
        expires_at = now() + interval '2 days'`,
    ),
  );
  return person;
}

/** Takes back what was counted against sessions. */
async function forgive(app: TestApp): Promise<void> {
  await withConnection(app.installation.ownerUrl, (client) =>
    client.query('update user_sessions set tries = 0, ended_at = null'),
  );
}

/** Makes what the samples and the addresses name. */
async function createNamed(app: TestApp, { id, key }: TestCustomer) {
  const post = async (path: string, body: object) => (await app.request('POST', path, { key, body })).body;
  await post('/v1/email/dynamic_templates', TEMPLATE);
  const { id: templateId } = await post('/v1/email/dynamic_templates', CHANGING);
  const { id: endpointId } = await post('/v1/email/webhook_endpoints', TARGET);
  const { sourceTrackingId } = await post('/v1/email/schedule', SAMPLES.scheduleMessage as object);
  const publicId = await withConnection(app.installation.ownerUrl, async (client) => {
    await client.query(
      `insert into webhook_deliveries
         (id, customer_id, endpoint_id, sequence, event_name, facts, state, created_at, settled_at)
       values ($1, $2, $3, 1, $4, '{}', 'failed', now(), now())`,
      [DELIVERY_ID, id, endpointId, TARGET.events[0]],
    );
    const { rows } = await client.query('select public_id from webhook_endpoints where id = $1', [endpointId]);
    return rows[0].public_id as string;
  });
  const formId = await addForm(app, id, { form_json: FORM_JSON });
  const { data: segment } = await post('/v1/marketing/dynamic_lists', SAMPLES.createDynamicList as object);
  const { data: list } = await post('/v1/marketing/subscription_lists', { name: 'Fed by a form' });
  const { data: person } = await post('/v1/marketing/subscribers', { subscriber: { email: 'named@example.com' } });
  const { data: mailing } = await post('/v1/marketing/campaign_mailings', {
    campaign_mailing: { subject: 'Kept', html_part: '<p>Hello</p>', from: 'clinic@example.org' },
  });
  const { data: field } = await post('/v1/marketing/subscriber_custom_field_types', { name: 'Kept' });
  const drip_campaign = { ...DRIP, subscription_list_id: list.id };
  const sid = await addSubmission(app, formId);
  const own = {
    drip_campaign,
    ids: [sid],
    campaign_mailing_id: mailing.id,
    form_id: await addForm(app, id, { subscription_list_id: Number(list.id) }),
    subscription: { subscription_list_id: list.id, subscriber_id: person.id },
    subscriber_ids: [person.id],
    except_ids: [person.id],
    subscription_list_ids: [list.id],
    from_subscription_list_id: list.id,
    dynamic_list_id: segment.id,
  };
  const ids = {
    api: formId,
    team: (await signIn(app, { id }, 'reader')).userId,
    sid,
    subscribers: person.id as string,
    subscription_lists: list.id as string,
    subscriber_custom_field_types: field.id as string,
    dynamic_lists: segment.id as string,
    campaign_mailings: mailing.id as string,
    campaign_mailing_sends: await addSend(app, key, mailing.id),
    drip_campaigns: await addDrip(app, key, drip_campaign),
    createDripEnrollments: await addRunningDrip(app, key, drip_campaign),
    dynamic_templates: String(templateId),
    webhook_endpoints: String(endpointId),
    endpoints: publicId,
    schedule: sourceTrackingId as string,
    sending_domains: (await post('/v1/email/sending_domains', { domain: 'kept.example' })).data.id as string,
  };
  return { templateId, endpointId, own, ids };
}

async function addSubmission(app: TestApp, formId: string): Promise<string> {
  const { headers } = await app.request('POST', `/api/forms/${formId}/submissions`, {
    body: { form_data: { age: 7 } },
  });
  return headers.get('x-submission-id') as string;
}

async function addSend(app: TestApp, key: string, mailingId: string): Promise<string> {
  const sample = withOwnIds(SAMPLES.scheduleCampaignMailing as object, { campaign_mailing_id: mailingId });
  await app.request('POST', '/v1/marketing/campaign_mailing_schedules', { key, body: sample });
  const { id } = (await app.request('GET', '/v1/marketing/campaign_mailing_sends', { key })).body.data[0];
  await app.request('POST', `/v1/marketing/campaign_mailing_sends/${id}/pause`, { key }); // decided about while it rests
  return id;
}

/** A drip that rests, with two versions. */
async function addDrip(app: TestApp, key: string, drip_campaign: object): Promise<string> {
  const send = (method: string, path: string, body?: object) =>
    app.request(method, `/v1/marketing/drip_campaigns${path}`, { key, ...(body && { body }) });
  const { id } = (await send('POST', '', { drip_campaign })).body.data;
  await send('POST', `/${id}/start`);
  await send('PATCH', `/${id}`, { drip_campaign: { steps: DRIP.steps.toReversed(), publish_share: 0 } });
  await send('POST', `/${id}/pause`);
  return id;
}

/** A drip that people may enter. */
async function addRunningDrip(app: TestApp, key: string, drip_campaign: object): Promise<string> {
  const id = await addDrip(app, key, drip_campaign);
  await app.request('POST', `/v1/marketing/drip_campaigns/${id}/resume`, { key });
  return id;
}

/** A sample with the ids of what is there, where it has such fields. */
function withOwnIds(sample: object, ids: Record<string, unknown>): object {
  const own = Object.entries(ids).filter(([name]) => name in sample);
  return { ...sample, ...Object.fromEntries(own) };
}

export type Path = (string | number)[];

/** Every place in a body. */
export function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const isArray = Array.isArray(value);
  const below = Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...path, isArray ? Number(key) : key]));
  return path.length === 0 ? below : [path, ...below];
}

/** A copy with the value at a path replaced. */
export function replaceAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const item = replaceAt((value as Record<string, unknown>)[key], rest, replacement);
  return Array.isArray(value) ? value.with(Number(key), item) : { ...(value as object), [key]: item };
}
