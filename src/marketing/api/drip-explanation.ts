import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField, missingField } from '../../platform/errors.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { readText } from '../analytics/people.ts';
import { findDrip } from '../drip/campaigns/drip.ts';
import { type Explanation, explainDrip } from '../drip/enrolments/explain.ts';
import { one, readNumber, type Wire } from '../read-page.ts';
import { findSubscriber } from '../subscribers/find-subscriber.ts';
import type { Subscriber } from '../subscribers/subscriber.ts';
import { findSubscribersAt } from '../subscribers/subscribers-at.ts';
import type { MarketingDeps } from './deps.ts';

const Text = Type.Union([Type.String(), Type.Null()]);

const ExplanationReply = Type.Object({
  subscriber_id: Type.String({ format: 'uuid' }),
  in: Type.Boolean(),
  summary: Type.String(),
  enrollments: Type.Array(
    Type.Object({
      id: Type.String({ format: 'uuid' }),
      rotation: Type.Integer(),
      state: Type.String(),
      reason: Text,
      step: Type.String(),
      next: Type.Union([Type.Object({ at: Text, what: Type.String() }), Type.Null()]),
    }),
  ),
  would_enter: Type.Object({ now: Type.Boolean(), reasons: Type.Array(Type.String()) }),
  left_out_mails: Type.Array(
    Type.Object({ step: Type.String(), at: Type.String(), rule: Type.String(), explanation: Type.String() }),
  ),
});

/** GET /drip_campaigns/{id}/explain: why somebody is in a drip or not. */
export function dripExplanationEndpoint({ db, vault, clock, requireOwn }: MarketingDeps): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/drip_campaigns/:id/explain',
    operation: 'explainDripCampaign',
    summary: 'Why somebody is in a drip campaign or not, where they stand, and which of its mails they did not get',
    access: { scope: 'marketing' },
    audit: 'drip.explained',
    params: Type.Object({ id: Type.String() }),
    query: Type.Object({
      subscriber_id: Parameter('UUID or number of the person'),
      email: Parameter('Or their address'),
    }),
    reply: Type.Object({ data: ExplanationReply }),
    async handle({ act, params, query }) {
      const { customerId } = act;
      const keys = await vault.of(customerId);
      return db.tenant([customerId], async (tx) => {
        const drip = await findDrip(tx, requireOwn, customerId, readNumber('id', params.id));
        const person = await findPerson(tx, requireOwn, customerId, query);
        const explanation = await explainDrip(tx, keys, drip, person);
        await recordAct(tx, clock, act, { target: String(drip.id), details: { subscriber: person.id } });
        return { data: describe(person.id, explanation) };
      });
    },
  });
}

async function findPerson(tx: Tx, requireOwn: OwnershipCheck, customerId: number, wire: Wire): Promise<Subscriber> {
  const [id, email] = [one(wire.subscriber_id), readText(wire.email)];
  if (id !== undefined) return findSubscriber(tx, requireOwn, customerId, id, 'subscriber_id');
  if (email === null) throw invalidField('subscriber_id', 'is required, or email');
  const [known] = await findSubscribersAt(tx, customerId, [email]);
  if (known === undefined) throw missingField('email', 'no such subscriber');
  return findSubscriber(tx, requireOwn, customerId, known, 'email');
}

function describe(subscriberId: string, explanation: Explanation): Static<typeof ExplanationReply> {
  const { in: isIn, summary, enrolments, wouldEnter, leftOutMails } = explanation;
  return {
    subscriber_id: subscriberId,
    in: isIn,
    summary,
    enrollments: enrolments.map(({ id, rotation, state, reason, step, next }) => ({
      id,
      rotation,
      state,
      reason,
      step,
      next: next && { at: next.at?.toISOString() ?? null, what: next.what },
    })),
    would_enter: wouldEnter,
    left_out_mails: leftOutMails.map((mail) => ({ ...mail, at: mail.at.toISOString() })),
  };
}
