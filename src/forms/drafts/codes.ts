import { recordAct } from '../../accounts/index.ts';
import { acceptWithin } from '../../email/index.ts';
import { awaitsCode, type CodePlace, keepCode, newCode, tryCode } from '../../platform/one-time-codes/codes.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import { actOn, type Draft, type DraftDeps, holdDraft } from './draft.ts';
import type { DraftMailDeps } from './mail-deps.ts';
import { codeMail } from './mails.ts';
import '../tables.ts';

/** Mails a code to where the link went; false where too many were sent already, or the draft is gone. */
export async function sendCode(deps: DraftMailDeps, draft: Draft, requestId: string): Promise<boolean> {
  const { db, vault, clock, systemFrom } = deps;
  const { customerId, address, state } = draft;
  if (address === null) return false;
  const keys = await vault.of(customerId);
  const code = newCode();
  const act = actOn(draft, 'public', 'draft.code-sent', requestId);
  const mail = codeMail({ systemFrom, address, language: state.language }, code);
  const isSent = await db.tenant([customerId], async (tx) => {
    const isKept = (await holdDraft(tx, draft)) && (await keepCode(tx, { clock, keys }, placeOf(draft), code));
    if (isKept) await acceptWithin(tx, deps, act, { mode: 'live', messages: [mail] });
    return isKept;
  });
  if (isSent) deps.onAccepted();
  return isSent;
}

/** Whether a code waits to be entered. */
export async function isCodeAwaited({ db, clock }: DraftDeps, draft: Draft): Promise<boolean> {
  return db.tenant([draft.customerId], (tx) => awaitsCode(tx, clock, placeOf(draft)));
}

/** Hands a draft to whoever knows the last code that was sent; whoever had it open before holds it no more. */
export async function takeUp(
  { db, vault, clock }: DraftDeps,
  draft: Draft,
  code: string,
  requestId: string,
): Promise<{ held: string } | { triesLeft: number }> {
  const { customerId, id, formId } = draft;
  const keys = await vault.of(customerId);
  return db.tenant([customerId], async (tx) => {
    const isThere = await holdDraft(tx, draft);
    const verdict = isThere ? await tryCode(tx, { clock, keys }, placeOf(draft), code) : null;
    if (verdict === null) return { triesLeft: 0 };
    const trace = { target: id, details: { form: formId } };
    if (!verdict.right) {
      await recordAct(tx, clock, actOn(draft, 'public', 'draft.code-refused', requestId), trace);
      return { triesLeft: verdict.triesLeft };
    }
    await recordAct(tx, clock, actOn(draft, 'recipient', 'draft.resumed', requestId), trace);
    const held = newSecret();
    await tx
      .updateTable('form_drafts')
      .set({ held_hash: hashSecret(held) as Buffer })
      .where('customer_id', '=', customerId)
      .where('id', '=', id)
      .execute();
    return { held };
  });
}

function placeOf({ customerId, id }: Draft): CodePlace {
  return { table: 'form_draft_codes', owner: 'draft_id', purpose: 'draft code', customerId, id };
}
