import { type Static, Type } from 'typebox';
import type { Drip } from '../drip/campaigns/drip.ts';
import { ENROLMENT_STATES, type Enrolment, goesOnAt } from '../drip/enrolments/enrolment.ts';
import type { PassedStep } from '../drip/enrolments/path.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const Uuid = Type.String({ format: 'uuid' });
const Time = Type.String({ format: 'date-time' });
const TimeOrNot = Type.Union([Time, Type.Null()]);

const Attributes = Type.Object({
  drip_campaign_id: Type.String(),
  subscriber_id: Uuid,
  email: Text,
  version: Type.Integer(),
  rotation: Type.Integer({ description: 'The how manieth time they are in it' }),
  state: Type.Enum([...ENROLMENT_STATES]),
  reason: Text,
  step: Type.String(),
  waiting: Type.Boolean({ description: 'Whether they wait inside the step' }),
  due_at: TimeOrNot,
  entered_at: Time,
  arrived_at: Time,
  ended_at: TimeOrNot,
  occasion: Text,
});

const PathReply = Type.Array(
  Type.Object({
    step: Type.String(),
    type: Text,
    visit: Type.Integer(),
    at: Time,
    outcome: Text,
    message_id: Type.Union([Uuid, Type.Null()]),
    mail: Type.Union([
      Type.Object({
        state: Type.String(),
        rule: Text,
        delivered_at: TimeOrNot,
        opened_at: TimeOrNot,
        clicked_at: TimeOrNot,
      }),
      Type.Null(),
    ]),
  }),
);

const parts = { id: Uuid, type: Type.Literal('drip_enrollment') };

/** Somebody's way through a drip, as it is answered. */
export const EnrollmentReply = Type.Object({ ...parts, attributes: Attributes });

/** The same with the steps that they came to. */
export const EnrollmentWithPathReply = Type.Object({
  ...parts,
  attributes: Type.Object({ ...Attributes.properties, path: PathReply }),
});

/** Who has entered, and who has not. */
export const EnteredReply = Type.Object({
  enrolled: Type.Array(Type.Object({ id: Uuid, subscriber_id: Uuid })),
  left_out: Type.Array(Type.Object({ subscriber_id: Uuid, reason: Type.String() })),
});

export function describeEnrollment(drip: Drip, enrolment: Enrolment): Static<typeof EnrollmentReply> {
  const { id, subscriber_id, email, version, rotation, state, reason, step, inside, occasion } = enrolment;
  return {
    id,
    type: 'drip_enrollment',
    attributes: {
      drip_campaign_id: String(drip.id),
      subscriber_id,
      email,
      version,
      rotation,
      state,
      reason,
      step,
      waiting: inside,
      due_at: goesOnAt(drip, enrolment)?.toISOString() ?? null,
      entered_at: enrolment.entered_at.toISOString(),
      arrived_at: enrolment.arrived_at.toISOString(),
      ended_at: enrolment.ended_at?.toISOString() ?? null,
      occasion,
    },
  };
}

export function describePath(path: PassedStep[]): Static<typeof PathReply> {
  return path.map(({ at, mail, ...visit }) => ({
    ...visit,
    at: at.toISOString(),
    mail: mail && {
      state: mail.state,
      rule: mail.rule,
      delivered_at: mail.delivered_at?.toISOString() ?? null,
      opened_at: mail.opened_at?.toISOString() ?? null,
      clicked_at: mail.clicked_at?.toISOString() ?? null,
    },
  }));
}
