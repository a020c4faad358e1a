import { recordAct } from '../../accounts/index.ts';
import { acceptWithin } from '../../email/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  awaitsCode,
  type CodePlace,
  type CodeVerdict,
  keepCode,
  newCode,
  tryCode,
} from '../../platform/one-time-codes/codes.ts';
import type { DraftDeps } from '../drafts/draft.ts';
import type { DraftMailDeps } from '../drafts/mail-deps.ts';
import { codeMail } from '../drafts/mails.ts';
import { actOf, type InvitedSigner } from './find-signer.ts';
import '../tables.ts';

/** Mails a code to where the link went; false where too many were sent already, or there is nothing to sign. */
export async function sendCode(
  deps: DraftMailDeps,
  signer: InvitedSigner,
  { language, requestId }: { language: string; requestId: string },
): Promise<boolean> {
  const { db, vault, clock, systemFrom } = deps;
  const { customerId, contact } = signer;
  const keys = await vault.of(customerId);
  const code = newCode();
  const mail = codeMail({ systemFrom, address: contact.address, language }, code);
  const act = actOf(signer, 'public', 'signer.code-sent', requestId);
  const isSent = await db.tenant([customerId], async (tx) => {
    const isKept = (await holdSigner(tx, signer)) && (await keepCode(tx, { clock, keys }, placeOf(signer), code));
    if (isKept) await acceptWithin(tx, deps, act, { mode: 'live', messages: [mail] });
    return isKept;
  });
  if (isSent) deps.onAccepted();
  return isSent;
}

/** Whether a code waits to be entered. */
export function isCodeAwaited({ db, clock }: DraftDeps, signer: InvitedSigner): Promise<boolean> {
  return db.tenant([signer.customerId], (tx) => awaitsCode(tx, clock, placeOf(signer)));
}

/** Judges a code that a signer entered. */
export async function enterCode(
  { db, vault, clock }: DraftDeps,
  signer: InvitedSigner,
  code: string,
  requestId: string,
): Promise<CodeVerdict> {
  const { customerId, id, submissionId } = signer;
  const keys = await vault.of(customerId);
  return db.tenant([customerId], async (tx) => {
    const isThere = await holdSigner(tx, signer);
    const verdict = isThere ? await tryCode(tx, { clock, keys }, placeOf(signer), code) : null;
    if (verdict === null) return { right: false, triesLeft: 0 };
    const act = verdict.right
      ? actOf(signer, 'recipient', 'signer.entered', requestId)
      : actOf(signer, 'public', 'signer.code-refused', requestId);
    await recordAct(tx, clock, act, { target: id, details: { submission: submissionId } });
    return verdict;
  });
}

/** Lets one transaction at a time count codes; false where the link leads nowhere any more. */
async function holdSigner(tx: Tx, { customerId, id, tokenHash }: InvitedSigner): Promise<boolean> {
  const row = await tx
    .selectFrom('submission_signers')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

function placeOf({ customerId, id }: InvitedSigner): CodePlace {
  return { table: 'submission_signer_codes', owner: 'signer_id', purpose: 'signer code', customerId, id };
}
