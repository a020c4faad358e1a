import { type Static, Type } from 'typebox';
import { parseAddress } from '../../email/index.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { readFlag } from '../../platform/http/body/flag.ts';
import { isGiven } from '../../platform/http/body/given.ts';
import { IfUpdatedAt, refuseOvertaken } from '../../platform/http/body/if-updated-at.ts';
import { PageInfo, Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { deleteMailings } from '../mailings/delete.ts';
import { explainMailing } from '../mailings/explain.ts';
import { type ListedMailing, listMailings, MAILING_ORDERS } from '../mailings/list.ts';
import { findMailing, type Mailing, TEMPLATE_TYPES } from '../mailings/mailing.ts';
import { MailingBody, readMailingChange, readNewMailing } from '../mailings/read-mailing.ts';
import { changeMailing, createMailing } from '../mailings/save.ts';
import { sendTest } from '../mailings/send-test.ts';
import { namePattern } from '../name-pattern.ts';
import { one, pageInfo, readChoice, readNumber, readPage } from '../read-page.ts';
import { findSubscriber } from '../subscribers/find-subscriber.ts';
import type { MarketingDeps } from './deps.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const Count = Type.Integer();
const Id = Type.Object({ id: Type.String() });
const Made = Type.Object({ data: Type.Object({ id: Type.String() }) });
const Changed = Type.Object({
  data: Type.Object({
    id: Type.String(),
    updated_at: Type.Optional(Type.String({ format: 'date-time', description: 'For those who sent `if_updated_at`' })),
  }),
});
const PAGE = { items: 20, most: 100 };

const ListedReply = Type.Object({
  id: Type.String(),
  type: Type.Literal('campaign_mailing'),
  attributes: Type.Object({
    subject: Type.String(),
    default_subject: Text,
    from: Text,
    template_type: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    sent: Count,
    delivered: Count,
    viewed: Count,
    clicked: Count,
    bounced: Count,
    unsubscribed: Count,
    sent_count: Type.Integer({ description: 'as sent; so are the other counts, for clients that read these names' }),
    delivered_count: Count,
    viewed_count: Count,
    clicked_count: Count,
    bounced_count: Count,
    unsubscribed_count: Count,
    latest_send: Type.Union([
      Type.Object({ id: Type.String(), state: Type.String(), send_at: Type.String({ format: 'date-time' }) }),
      Type.Null(),
    ]),
  }),
});

const MailingReply = Type.Object({
  id: Type.String(),
  type: Type.Literal('campaign_mailing'),
  attributes: Type.Object({
    subject: Type.String(),
    default_subject: Text,
    preheader: Text,
    from: Text,
    reply_to: Text,
    html_part: Text,
    text_part: Text,
    mjml_part: Text,
    blocks: Type.Unknown(),
    form_data: Type.Unknown(),
    template_type: Type.String(),
    version: Type.Integer(),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  }),
});

/** What is mailed to many: written, changed, tried out and taken away. */
export function campaignMailingEndpoints(deps: MarketingDeps): Endpoint[] {
  const { db, clock, idempotency, requireOwn } = deps;

  const changing = (method: 'PUT' | 'PATCH', operation: string) =>
    endpoint({
      method,
      path: '/campaign_mailings/:id',
      operation,
      summary: 'Change a mailing; a send that is under way keeps to the version it began with',
      access: { scope: 'marketing' },
      audit: 'mailing.changed',
      params: Id,
      body: Type.Object({ ...MailingBody.properties, ...IfUpdatedAt }),
      bodyLimit: 4 * 2 ** 20,
      reply: Changed,
      async handle({ act, params, body }) {
        const change = readMailingChange(body);
        return db.tenant([act.customerId], async (tx) => {
          const id = readNumber('id', params.id);
          const before = await findMailing(tx, requireOwn, act.customerId, id, 'id', { lock: true });
          refuseOvertaken(body, before.updated_at);
          const updatedAt = await changeMailing(tx, { clock, act }, before, change);
          const told = isGiven(body.if_updated_at) ? { updated_at: updatedAt.toISOString() } : {};
          return { data: { id: String(before.id), ...told } };
        });
      },
    });

  return [
    endpoint({
      method: 'GET',
      path: '/campaign_mailings',
      operation: 'listCampaignMailings',
      summary: 'The mailings of the customer',
      access: { scope: 'marketing' },
      audit: null,
      query: Type.Object({
        search: Parameter('A regular expression (RE2) on the subject'),
        template_type: Parameter(TEMPLATE_TYPES.join(', ')),
        order_by: Parameter(`${MAILING_ORDERS.join(', ')}; created_at by default`),
        order: Parameter('desc (default) or asc'),
        items: Parameter('Page size, 20 by default, 100 at most'),
        page: Parameter('1 and up'),
        pagination: Parameter('false for everything'),
      }),
      reply: Type.Object({ data: Type.Array(ListedReply), page_info: Type.Optional(PageInfo) }),
      async handle({ caller: { customerId }, query }) {
        const page = readFlag(one(query.pagination)) === false ? null : readPage(query, PAGE);
        const search = one(query.search);
        const type = one(query.template_type);
        const wanted = {
          fits: search === undefined ? null : namePattern(search),
          templateType: type === undefined ? null : readChoice('template_type', type, TEMPLATE_TYPES),
          orderBy: readChoice('order_by', one(query.order_by), MAILING_ORDERS),
          order: readChoice('order', one(query.order), ['desc', 'asc'] as const),
          page,
        };
        const { mailings, total } = await db.tenant([customerId], (tx) => listMailings(tx, customerId, wanted));
        return { data: mailings.map(describeListed), ...(page === null ? {} : { page_info: pageInfo(total, page) }) };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/campaign_mailings',
      operation: 'createCampaignMailing',
      summary: 'Write a mailing',
      access: { scope: 'marketing' },
      audit: 'mailing.created',
      body: MailingBody,
      bodyLimit: 4 * 2 ** 20,
      idempotent: true,
      reply: Made,
      async handle({ act, body, idempotency: claim }) {
        const wanted = readNewMailing(body);
        return db.tenant([act.customerId], async (tx) => {
          const reply = { data: { id: String(await createMailing(tx, { clock, act }, wanted)) } };
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/campaign_mailings/:id',
      operation: 'readCampaignMailing',
      summary: 'One mailing as it was written',
      access: { scope: 'marketing' },
      audit: null,
      params: Id,
      query: Type.Object({ with_images: Parameter('Images stand in the HTML as they were given') }),
      reply: Type.Object({ data: MailingReply }),
      handle: ({ caller: { customerId }, params }) =>
        db.tenant([customerId], async (tx) => ({
          data: describe(await findMailing(tx, requireOwn, customerId, readNumber('id', params.id))),
        })),
    }),
    changing('PUT', 'replaceCampaignMailing'),
    changing('PATCH', 'updateCampaignMailing'),
    endpoint({
      method: 'GET',
      path: '/campaign_mailings/:id/send_test_email',
      operation: 'sendTestEmail',
      summary: 'Send the mailing to one address, marked as a test',
      access: { scope: 'marketing', phi: true },
      audit: 'mailing.tested',
      params: Id,
      query: Type.Object({ to_email: Parameter('Who gets it') }),
      reply: Type.Null(),
      status: 204,
      async handle({ act, caller, params, query }) {
        const to = parseAddress(one(query.to_email) ?? '');
        if (to === null) throw invalidField('to_email', 'takes an address');
        const mailing = await db.tenant([act.customerId], (tx) =>
          findMailing(tx, requireOwn, act.customerId, readNumber('id', params.id)),
        );
        await sendTest(deps, act, caller, mailing, to.address);
        return null;
      },
    }),
    endpoint({
      method: 'GET',
      path: '/campaign_mailings/:id/explain',
      operation: 'explainCampaignMailing',
      summary: 'What became of a mailing for one person, and why',
      access: { scope: 'marketing' },
      audit: 'mailing.explained',
      params: Id,
      query: Type.Object({ subscriber_id: Parameter('UUID or number') }),
      reply: Type.Object({
        data: Type.Object({
          subscriber_id: Type.String(),
          sends: Type.Array(
            Type.Object({
              campaign_mailing_send_id: Type.String(),
              state: Type.String(),
              rule: Text,
              explanation: Type.String(),
              settled_at: Text,
              opened_at: Text,
              clicked_at: Text,
            }),
          ),
        }),
      }),
      async handle({ act, params, query }) {
        const subscriberId = one(query.subscriber_id);
        if (subscriberId === undefined) throw invalidField('subscriber_id', 'is required');
        return db.tenant([act.customerId], async (tx) => {
          const mailing = await findMailing(tx, requireOwn, act.customerId, readNumber('id', params.id));
          const person = await findSubscriber(tx, requireOwn, act.customerId, subscriberId, 'subscriber_id');
          return { data: await explainMailing(tx, { clock, act }, mailing.id, person.id) };
        });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/campaign_mailings_bulk_delete',
      operation: 'deleteCampaignMailings',
      summary: 'Take mailings away; what became of their sends stays',
      access: { scope: 'marketing' },
      audit: 'mailings.deleted',
      body: Type.Object({ campaign_mailing_ids: Type.Array(Type.Union([Type.String(), Type.Integer()])) }),
      reply: Type.Object({}),
      async handle({ act, body: { campaign_mailing_ids: ids } }) {
        if (ids.length > 1_000) throw new AppError('invalid_request', 'campaign_mailing_ids: takes at most 1000');
        await db.tenant([act.customerId], (tx) =>
          deleteMailings(tx, { clock, act, requireOwn }, [
            ...new Set(ids.map((id) => readNumber('campaign_mailing_ids', id))),
          ]),
        );
        return {};
      },
    }),
  ];
}

function describeListed({
  id,
  from_address: from,
  created_at: createdAt,
  updated_at: updatedAt,
  latest_send: latest,
  ...rest
}: ListedMailing) {
  const attributes = {
    ...rest,
    from,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    sent_count: rest.sent,
    delivered_count: rest.delivered,
    viewed_count: rest.viewed,
    clicked_count: rest.clicked,
    bounced_count: rest.bounced,
    unsubscribed_count: rest.unsubscribed,
    latest_send: latest === null ? null : { ...latest, send_at: new Date(latest.send_at).toISOString() },
  };
  return { id: String(id), type: 'campaign_mailing' as const, attributes };
}

function describe(mailing: Mailing): Static<typeof MailingReply> {
  const { id, from_address: from, prepared: _, created_at: createdAt, updated_at: updatedAt, ...rest } = mailing;
  const attributes = { ...rest, from, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
  return { id: String(id), type: 'campaign_mailing', attributes };
}
