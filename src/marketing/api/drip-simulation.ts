import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { findDrip } from '../drip/campaigns/drip.ts';
import { type Journey, knownIn } from '../drip/simulation/journeys.ts';
import { readSimulation, SimulationBody } from '../drip/simulation/read-simulation.ts';
import { simulate } from '../drip/simulation/simulate.ts';
import { readNumber } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const Time = Type.String({ format: 'date-time' });

const JourneyReply = Type.Object({
  person: Type.Integer({ description: 'The place in people; those of the sample follow' }),
  subscriber_id: Text,
  enters: Type.Boolean(),
  state: Text,
  reason: Text,
  step: Text,
  due_at: Text,
  ended_at: Text,
  path: Type.Array(Type.Object({ step: Type.String(), at: Time, outcome: Text })),
  mails: Type.Array(Type.Object({ step: Type.String(), at: Time, campaign_mailing_id: Type.String(), subject: Text })),
});

/** The time machine: who would get what, and when. */
export function dripSimulationEndpoint({
  db,
  vault,
  clock,
  requireOwn,
  targetRules,
  senderRule,
}: MarketingDeps): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/drip_campaigns/:id/simulate',
    operation: 'simulateDripCampaign',
    summary: 'Lead people through a drip campaign on a clock of its own: who would get what, and when; nothing is sent',
    access: { scope: 'marketing' },
    audit: 'drip.simulated',
    params: Type.Object({ id: Type.String() }),
    body: SimulationBody,
    reply: Type.Object({
      data: Type.Object({
        complete: Type.Boolean({ description: 'False where it took too long and the rest was left out' }),
        ran_until: Time,
        people: Type.Array(JourneyReply),
      }),
    }),
    async handle({ act, params, body }) {
      const wanted = readSimulation(body, clock.now());
      const keys = await vault.of(act.customerId);
      const drip = await db.tenant([act.customerId], (tx) =>
        findDrip(tx, requireOwn, act.customerId, readNumber('id', params.id)),
      );
      const { journeys, isComplete, ranUntil } = await simulate(
        { db, keys, act, requireOwn, targetRules, senderRule },
        drip,
        wanted,
      );
      await db.tenant([act.customerId], async (tx) => {
        const subscribers = await knownIn(tx, act.customerId, journeys);
        await recordAct(tx, clock, act, { target: String(drip.id), details: { subscribers } });
      });
      return { data: { complete: isComplete, ran_until: ranUntil.toISOString(), people: journeys.map(describe) } };
    },
  });
}

function describe({ subscriberId, isMadeUp, enrolment, stops }: Journey, index: number): Static<typeof JourneyReply> {
  return {
    person: index,
    subscriber_id: isMadeUp ? null : subscriberId,
    enters: enrolment !== null,
    state: enrolment?.state ?? null,
    reason: enrolment?.reason ?? null,
    step: enrolment?.step ?? null,
    due_at: enrolment?.due_at?.toISOString() ?? null,
    ended_at: enrolment?.ended_at?.toISOString() ?? null,
    path: stops.map(({ step, at, outcome }) => ({ step, at: at.toISOString(), outcome })),
    mails: stops.flatMap(({ step, at, campaign_mailing_id: mailing, subject }) =>
      mailing === null ? [] : [{ step, at: at.toISOString(), campaign_mailing_id: mailing, subject }],
    ),
  };
}
