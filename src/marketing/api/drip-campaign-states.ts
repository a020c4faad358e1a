import { Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { Flag, readStrictFlag } from '../../platform/http/body/flag.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { createBulkJob } from '../bulk/bulk-job.ts';
import { completeDrip, pauseDrip, resumeDrip } from '../drip/campaigns/control.ts';
import { type Drip, findDrip } from '../drip/campaigns/drip.ts';
import { startDrip } from '../drip/campaigns/start.ts';
import { readChoice, readNumber } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';

const Id = Type.Object({ id: Type.String() });
const Moved = Type.Object({ data: Type.Object({ drip_campaign_id: Type.String(), status: Type.String() }) });

/** The life of a drip campaign: started, paused, resumed and completed. */
export function dripCampaignStateEndpoints(deps: MarketingDeps): Endpoint[] {
  const { db, vault, clock, idempotency, requireOwn, targetRules, senderRule, onDrip } = deps;

  /** Works on one drip while nobody else does, and lets the engine look at it then. */
  async function onOne<T>({ customerId }: Act, id: string, work: (tx: Tx, drip: Drip) => Promise<T>): Promise<T> {
    const result = await db.tenant([customerId], async (tx) =>
      work(tx, await findDrip(tx, requireOwn, customerId, readNumber('id', id), { lock: true })),
    );
    onDrip();
    return result;
  }

  const shared = { method: 'POST', access: { scope: 'marketing' }, params: Id } as const;

  return [
    endpoint({
      ...shared,
      path: '/drip_campaigns/:id/start',
      operation: 'startDripCampaign',
      summary: 'Let people enter a drip campaign; enroll_existing lets in who is on its list already',
      audit: 'drip.started',
      body: Type.Object({ enroll_existing: Type.Optional(Flag) }),
      bodyOptional: true,
      idempotent: true,
      reply: Type.Object({ data: Type.Object({ jids: Type.Array(Type.String()) }) }),
      async handle({ act, caller, params, body, idempotency: claim }) {
        const rules = { targetRules, senderRule: senderRule.of(caller) };
        const enrollsExisting = readStrictFlag('enroll_existing', body.enroll_existing) === true;
        const keys = await vault.of(act.customerId);
        const enrolExisting = async (tx: Tx, { id: dripId, subscription_list_id: listId }: Drip) => {
          const selection = { search: null, listId, filters: [], exceptIds: [] };
          return createBulkJob(tx, { clock, keys, act }, 'enrol', { selection, dripId });
        };
        return onOne(act, params.id, async (tx, drip) => {
          await startDrip(tx, { clock, act, requireOwn, ...rules, mode: caller.mode }, drip);
          const reply = { data: { jids: enrollsExisting ? [await enrolExisting(tx, drip)] : [] } };
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      ...shared,
      path: '/drip_campaigns/:id/pause',
      operation: 'pauseDripCampaign',
      summary: 'Keep everybody where they are; nobody enters, and nothing is mailed',
      audit: 'drip.paused',
      reply: Moved,
      handle: ({ act, params }) =>
        onOne(act, params.id, async (tx, drip) => describeMoved(await pauseDrip(tx, { clock, act }, drip))),
    }),
    endpoint({
      ...shared,
      path: '/drip_campaigns/:id/resume',
      operation: 'resumeDripCampaign',
      summary: 'Let everybody go on: at once, later by as long as the pause was, or without what is overdue',
      audit: 'drip.resumed',
      body: Type.Object({
        policy: Type.Optional(
          Type.Union([Type.String({ description: 'catch_up (default), shift or skip_overdue' }), Type.Null()]),
        ),
      }),
      bodyOptional: true,
      idempotent: true,
      reply: Moved,
      handle({ act, caller, params, body, idempotency: claim }) {
        const rule = senderRule.of(caller);
        const policy = readChoice('policy', body.policy ?? undefined, ['catch_up', 'shift', 'skip_overdue']);
        return onOne(act, params.id, async (tx, drip) => {
          const reply = describeMoved(await resumeDrip(tx, { clock, act, senderRule: rule }, drip, policy));
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      ...shared,
      path: '/drip_campaigns/:id/complete',
      operation: 'completeDripCampaign',
      summary: 'End a drip campaign; whoever is on their way through it is let go',
      audit: 'drip.completed',
      reply: Moved,
      handle: ({ act, params }) =>
        onOne(act, params.id, async (tx, drip) => describeMoved(await completeDrip(tx, { clock, act }, drip))),
    }),
  ];
}

function describeMoved({ id, state }: Drip) {
  return { data: { drip_campaign_id: String(id), status: state } };
}
