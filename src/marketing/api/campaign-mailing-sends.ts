import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { Tx } from '../../platform/db/database.ts';
import { PageInfo, Parameter } from '../../platform/http/body/parameter.ts';
import { type Call, type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { readText } from '../analytics/people.ts';
import { inScope, readScope, SCOPE_PARAMETERS } from '../analytics/scope.ts';
import {
  decideUncertain,
  findSend,
  findSendOfJob,
  type Move,
  moveSend,
  requireSender,
} from '../mailings/sending/control.ts';
import { countSends, type ListedSend, listSends, ofMailingCalled } from '../mailings/sending/list.ts';
import { readScheduledSend, readSend, readSendAt, ScheduleBody, SendBody } from '../mailings/sending/read-send.ts';
import type { Send } from '../mailings/sending/send.ts';
import { startSend } from '../mailings/sending/start.ts';
import { one, pageInfo, readChoice, readNumber, readPage } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const Count = Type.Integer();
const Id = Type.Object({ id: Type.String() });
const PAGE = { items: 50, most: 1_000 };

const SendReply = Type.Object({
  id: Type.String(),
  type: Type.Literal('campaign_mailing_send'),
  attributes: Type.Object({
    campaign_mailing_id: Type.String(),
    version: Type.Integer(),
    jid: Type.String(),
    state: Type.String(),
    subscription_list_id: Text,
    dynamic_list_id: Text,
    sender_email: Type.String(),
    from_name: Text,
    subject: Text,
    send_at: Type.String({ format: 'date-time' }),
    started_at: Text,
    finished_at: Text,
    created_at: Type.String({ format: 'date-time' }),
    people: Count,
    sent: Count,
    delivered: Count,
    soft_bounced: Count,
    hard_bounced: Count,
    suppressed: Count,
    excluded: Count,
    uncertain: Count,
    cancelled: Count,
    viewed: Count,
    clicked: Count,
    unsubscribed: Count,
    global_unsubscribed: Count,
  }),
});

const One = Type.Object({ data: SendReply });

/** What is said about one send. */
type SteeringCall = Pick<Call<Static<typeof Id>, unknown, unknown>, 'act' | 'params' | 'idempotency'>;

/** Sends of mailings: begun, scheduled, steered and looked at. */
export function campaignMailingSendEndpoints(deps: MarketingDeps): Endpoint[] {
  const { db, vault, clock, idempotency, requireOwn, senderRule, onSend } = deps;

  /** Works on one send while nobody else does, and answers how it stands then. */
  const onOne = (
    { act, params, idempotency: claim }: SteeringCall,
    work: (tx: Tx, send: Send) => Promise<unknown>,
  ): Promise<Static<typeof One>> =>
    db.tenant([act.customerId], async (tx) => {
      const send = await findSend(tx, requireOwn, act.customerId, readNumber('id', params.id), { lock: true });
      await work(tx, send);
      const reply = await readOne(tx, act.customerId, send.id);
      await idempotency.keepWith(tx, claim, { status: 200, body: reply });
      return reply;
    });

  const moving = (move: Move, operation: string, summary: string) =>
    endpoint({
      method: 'POST',
      path: `/campaign_mailing_sends/:id/${move}`,
      operation,
      summary,
      access: { scope: 'marketing' },
      audit: `send.${move}`,
      params: Id,
      ...(move === 'resume' && { idempotent: true }),
      reply: One,
      async handle(call) {
        const { act, caller } = call;
        const reply = await onOne(call, async (tx, send) => {
          if (move === 'resume') await requireSender(tx, senderRule.of(caller), send);
          await moveSend(tx, { clock, act }, send, move);
        });
        onSend();
        return reply;
      },
    });

  return [
    endpoint({
      method: 'POST',
      path: '/campaign_mailing_sends',
      operation: 'sendCampaignMailing',
      summary: 'Send a mailing to a list, a segment or some addresses; X-Job-Id names the job',
      access: { scope: 'marketing', phi: true },
      audit: 'send.started',
      body: SendBody,
      idempotent: true,
      reply: Type.Object({}),
      async handle({ act, caller, body, idempotency: claim, setHeader }) {
        const wish = readSend(body.campaign_mailing_send);
        const mailingId = readNumber('campaign_mailing_id', body.campaign_mailing_id);
        const keys = await vault.of(act.customerId);
        const jid = await db.tenant([act.customerId], async (tx) => {
          const context = { clock, keys, act, requireOwn, mode: caller.mode, senderRule: senderRule.of(caller) };
          const started = await startSend(tx, context, { mailingId, wish, sendAt: clock.now() });
          await idempotency.keepWith(tx, claim, { status: 200, body: { jid: started } });
          return started;
        });
        setHeader('x-job-id', jid);
        onSend();
        return {};
      },
      async answerAgain({ setHeader }, kept) {
        const { jid } = kept as { jid?: string }; // which the version before did not keep
        if (jid !== undefined) setHeader('x-job-id', jid);
        return {};
      },
    }),
    endpoint({
      method: 'GET',
      path: '/campaign_mailing_sends',
      operation: 'listCampaignMailingSends',
      summary: 'The sends of the customer, newest first',
      access: { scope: 'marketing' },
      audit: null,
      query: Type.Object({
        ...SCOPE_PARAMETERS,
        search: Parameter('Part of the subject of the mailing, ignoring case'),
        page: Parameter('1 and up'),
        items: Parameter('Page size, 50 by default, 1000 at most'),
        order: Parameter('desc (default) or asc'),
      }),
      reply: Type.Object({ data: Type.Array(SendReply), page_info: PageInfo }),
      async handle({ caller: { customerId }, query }) {
        const page = readPage(query, PAGE);
        const search = readText(query.search);
        const order = readChoice('order', one(query.order), ['desc', 'asc']);
        return db.tenant([customerId], async (tx) => {
          const scope = inScope(await readScope(tx, requireOwn, customerId, query));
          const isMeant = search === null ? scope : sql<boolean>`${scope} and ${ofMailingCalled(search)}`;
          const sends = await listSends(tx, isMeant, { ...page, order });
          const total = await countSends(tx, isMeant);
          return { data: sends.map(describe), page_info: pageInfo(total, page) };
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/campaign_mailing_sends/:id',
      operation: 'readCampaignMailingSend',
      summary: 'One send and how far it has come',
      access: { scope: 'marketing' },
      audit: null,
      params: Id,
      reply: Type.Object({ data: SendReply }),
      handle: ({ caller: { customerId }, params }) =>
        db.tenant([customerId], async (tx) => {
          const { id } = await findSend(tx, requireOwn, customerId, readNumber('id', params.id));
          return readOne(tx, customerId, id);
        }),
    }),
    moving('pause', 'pauseCampaignMailingSend', 'Let a send rest; what is on its way arrives'),
    moving('resume', 'resumeCampaignMailingSend', 'Let a send go on where it was'),
    moving('cancel', 'cancelCampaignMailingSend', 'End a send; whoever has not been written to is not'),
    endpoint({
      method: 'POST',
      path: '/campaign_mailing_sends/:id/decide',
      operation: 'decideCampaignMailingSend',
      summary: 'Say what to do about mails of which nobody knows whether they arrived: sent or resend',
      access: { scope: 'marketing' },
      audit: 'send.decided',
      params: Id,
      body: Type.Object({ decision: Type.String({ description: 'sent or resend' }) }),
      idempotent: true,
      reply: One,
      async handle(call) {
        const { act, caller, body } = call;
        const decision = readChoice('decision', body.decision, ['sent', 'resend']);
        const reply = await onOne(call, async (tx, send) => {
          if (decision === 'resend') await requireSender(tx, senderRule.of(caller), send);
          await decideUncertain(tx, { clock, act }, send, decision);
        });
        onSend();
        return reply;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/campaign_mailing_schedules',
      operation: 'scheduleCampaignMailing',
      summary: 'Send a mailing at a moment to come',
      access: { scope: 'marketing', phi: true },
      audit: 'send.scheduled',
      body: ScheduleBody,
      idempotent: true,
      reply: Type.Object({
        data: Type.Object({ send_at: Type.String(), send_at_timestamp: Type.Integer(), jid: Type.String() }),
      }),
      async handle({ act, caller, body, idempotency: claim }) {
        const sendAt = readSendAt(body.send_at, clock.now());
        const wish = readScheduledSend(body);
        const mailingId = readNumber('campaign_mailing_id', body.campaign_mailing_id);
        const keys = await vault.of(act.customerId);
        return db.tenant([act.customerId], async (tx) => {
          const context = { clock, keys, act, requireOwn, mode: caller.mode, senderRule: senderRule.of(caller) };
          const jid = await startSend(tx, context, { mailingId, wish, sendAt });
          const at = { send_at: sendAt.toISOString(), send_at_timestamp: Math.floor(sendAt.getTime() / 1_000) };
          const reply = { data: { ...at, jid } };
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/campaign_mailing_schedules/:jid',
      operation: 'unscheduleCampaignMailing',
      summary: 'Take a scheduled send back before it begins',
      access: { scope: 'marketing' },
      audit: 'send.unscheduled',
      params: Type.Object({ jid: Type.String() }),
      reply: Type.Object({}),
      handle: ({ act, params }) =>
        db.tenant([act.customerId], async (tx) => {
          const send = await findSendOfJob(tx, requireOwn, act.customerId, params.jid);
          await moveSend(tx, { clock, act }, send, 'unschedule');
          return {};
        }),
    }),
  ];
}

async function readOne(tx: Tx, customerId: number, sendId: number) {
  const isMeant = sql<boolean>`s.customer_id = ${customerId} and s.id = ${sendId}`;
  const [send] = await listSends(tx, isMeant, { page: 1, items: 1, order: 'desc' });
  return { data: describe(send as ListedSend) };
}

function describe(send: ListedSend): Static<typeof SendReply> {
  const { id, mailing_id: mailingId, subscription_list_id: listId, segment_id: segmentId, ...rest } = send;
  return {
    id: String(id),
    type: 'campaign_mailing_send',
    attributes: {
      ...rest,
      campaign_mailing_id: String(mailingId),
      subscription_list_id: listId === null ? null : String(listId),
      dynamic_list_id: segmentId,
      send_at: rest.send_at.toISOString(),
      started_at: rest.started_at?.toISOString() ?? null,
      finished_at: rest.finished_at?.toISOString() ?? null,
      created_at: rest.created_at.toISOString(),
    },
  };
}
