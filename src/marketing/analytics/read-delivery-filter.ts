import type { Tx } from '../../platform/db/database.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { one, readChoice, type Wire } from '../read-page.ts';
import { findSubscriber } from '../subscribers/find-subscriber.ts';
import { DELIVERY_STATES, type DeliveryFilter } from './deliveries.ts';
import { PEOPLE_PARAMETERS, readPeopleFilter } from './people.ts';
import { readScope, SCOPE_PARAMETERS } from './scope.ts';

/** The parameters that choose rows of the ledger. */
export const DELIVERY_PARAMETERS = {
  ...SCOPE_PARAMETERS,
  subscriber_id: Parameter('Only mails to this person'),
  state: Parameter(`Only those that are ${DELIVERY_STATES.join(', ')}`),
  email: PEOPLE_PARAMETERS.email,
};

/** Reads which rows of the ledger are wanted. */
export async function readDeliveryFilter(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  wire: Wire,
): Promise<DeliveryFilter> {
  const [subscriberId, state] = [one(wire.subscriber_id), one(wire.state)];
  const people = readPeopleFilter(customerId, wire);
  return {
    scope: await readScope(tx, requireOwn, customerId, wire),
    people,
    subscriberId:
      subscriberId === undefined
        ? null
        : (await findSubscriber(tx, requireOwn, customerId, subscriberId, 'subscriber_id')).id,
    state: state === undefined ? null : readChoice('state', state, DELIVERY_STATES),
  };
}
