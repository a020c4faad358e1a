import { sql } from 'kysely';
import { recordAct, requireNotHeld } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import { lockKey } from '../rights/amend.ts';
import { locateSubmission, type ReadDeps, type SubmissionIds } from '../submissions/read.ts';
import { tellSigned } from './tell-signed.ts';
import '../tables.ts';

const MISSING = 'No such signer';

/** Takes back that somebody was asked to sign; who has signed has signed. */
export async function withdrawSigner(
  { db, clock, requireOwn }: ReadDeps,
  act: Act,
  ids: SubmissionIds,
  signerId: string,
): Promise<void> {
  const { customerId } = act;
  await db.tenant([customerId], async (tx) => {
    const { id, formId } = await locateSubmission(tx, requireOwn, customerId, ids);
    if (!isUuid(signerId)) throw new AppError('not_found', MISSING);
    await requireOwn(tx, customerId, sql<number | null>`find_signer_customer(${signerId})`, MISSING);
    await requireNotHeld(tx, customerId, { objects: [formId, id] });
    await lockKey(tx, customerId, id); // whoever signs right now has done so before this goes on
    const row = await tx
      .selectFrom('submission_signers')
      .select(['id', 'state', 'required'])
      .where('customer_id', '=', customerId)
      .where('submission_id', '=', id)
      .where('id', '=', signerId)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not_found', MISSING);
    if (row.state === 'signed') throw new AppError('conflict', 'Who has signed cannot be withdrawn');
    await tx.deleteFrom('submission_signers').where('customer_id', '=', customerId).where('id', '=', row.id).execute();
    await recordAct(tx, clock, act, { target: id, details: { form: formId, signer: row.id } });
    const whole = { customerId, formId, submissionId: id };
    if (row.required && (await haveAllSigned(tx, whole))) await tellSigned(tx, clock, whole);
  });
}

/** Whether all have signed who still must, and there is somebody who must. */
async function haveAllSigned(tx: Tx, { customerId, submissionId }: { customerId: number; submissionId: string }) {
  const states = await tx
    .selectFrom('submission_signers')
    .select('state')
    .where('customer_id', '=', customerId)
    .where('submission_id', '=', submissionId)
    .where('required', '=', true)
    .execute();
  return states.length > 0 && states.every(({ state }) => state === 'signed');
}
