import { enqueueDeliveries } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';

/** The event that tells that everybody has signed who must; its facts are ids and a time. */
const SIGNED = 'forms.submission.signed';

interface Whole {
  customerId: number;
  formId: string;
  submissionId: string;
}

/** Tells, with what made it so, that nobody's signature is waited for any more. */
export async function tellSigned(tx: Tx, clock: Clock, { customerId, formId, submissionId }: Whole): Promise<void> {
  const facts = { form_id: formId, submission_id: submissionId, time: clock.now().toISOString() };
  await enqueueDeliveries(tx, clock, [{ customerId, name: SIGNED, facts }]);
}
