import type { Tx } from '../../../platform/db/database.ts';
import { refuseUnstorable } from '../../../platform/http/body/json-body.ts';
import { Parameter } from '../../../platform/http/body/parameter.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import { one, readChoice, readVersionNumber, type Wire } from '../../read-page.ts';
import { findSubscriber } from '../../subscribers/find-subscriber.ts';
import type { Drip } from '../campaigns/drip.ts';
import { findVersion } from '../campaigns/version.ts';
import { ENROLMENT_STATES } from './enrolment.ts';
import type { EnrolmentFilter } from './list.ts';
import { LEAVINGS } from './words.ts';

/** The parameters that choose enrolments. */
export const ENROLMENT_PARAMETERS = {
  state: Parameter(`Only those that are ${ENROLMENT_STATES.join(', ')}`),
  reason: Parameter(`Only those who left for it: ${LEAVINGS.join(', ')}`),
  step: Parameter('Only those who stand at this step, or left there'),
  version: Parameter('Only those who go by this version'),
  subscriber_id: Parameter('Only those of this person, by UUID or number'),
};

/** Reads which enrolments are wanted. */
export async function readEnrolmentFilter(
  tx: Tx,
  requireOwn: OwnershipCheck,
  drip: Drip,
  wire: Wire,
): Promise<EnrolmentFilter> {
  const [state, reason, step, person] = [one(wire.state), one(wire.reason), one(wire.step), one(wire.subscriber_id)];
  refuseUnstorable(step ?? '');
  return {
    state: state === undefined ? null : readChoice('state', state, ENROLMENT_STATES),
    reason: reason === undefined ? null : readChoice('reason', reason, LEAVINGS),
    step: step ?? null,
    version: await readVersion(tx, drip, wire),
    subscriber_id:
      person === undefined
        ? null
        : (await findSubscriber(tx, requireOwn, drip.customer_id, person, 'subscriber_id')).id,
  };
}

/** The version that is meant: 404 where the drip has none of this number; null where none is named. */
export async function readVersion(tx: Tx, drip: Drip, wire: Wire): Promise<number | null> {
  const text = one(wire.version);
  return text === undefined ? null : (await findVersion(tx, drip, readVersionNumber('version', text))).version;
}
