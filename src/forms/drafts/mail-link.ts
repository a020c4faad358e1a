import { acceptWithin, addressKey } from '../../email/index.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import { actOn, type Draft, holdDraft, sealDraft } from './draft.ts';
import { keepFilesUntil } from './keep-files.ts';
import type { DraftMailDeps } from './mail-deps.ts';
import { linkMail } from './mails.ts';
import { draftExpiry } from './save-draft.ts';
import '../tables.ts';

const HOUR_SECONDS = 3600;
/** How many links are mailed in an hour for one draft, to one address, and from one network. */
const MOST_FOR_DRAFT = 3;
const MOST_TO_ADDRESS = 5;
const MOST_FROM_NETWORK = 20;

interface To {
  address: string;
  /** The pseudonym of the network that asks. */
  network: string;
}

/** Mails the way back to a draft, in place of any before; false where too many were mailed, or the draft is gone. */
export async function mailLink(
  deps: DraftMailDeps,
  draft: Draft,
  { address, network }: To,
  requestId: string,
): Promise<boolean> {
  const { db, vault, clock, systemFrom, publicUrl } = deps;
  const { id, customerId, formId, state } = draft;
  const keys = await vault.of(customerId);
  const index = keys.blindIndex('draft address', addressKey(address)).toString('base64url');
  const counted: [string, number][] = [
    [`draft/${id}`, MOST_FOR_DRAFT],
    [`draft-address/${customerId}/${index}`, MOST_TO_ADDRESS],
    [`draft-network/${network}`, MOST_FROM_NETWORK],
  ];
  if (!counted.every(([subject, most]) => isAllowed(deps, subject, most))) return false;
  const token = newSecret();
  const mailed = { ...draft, address, expiresAt: draftExpiry(deps, address) };
  const act = actOn(draft, 'public', 'draft.link-sent', requestId);
  // The name of a form may say what somebody comes for; its id does not.
  const mail = linkMail({ systemFrom, address, language: state.language }, `${publicUrl}/f/${formId}/resume/${token}`);
  const isSent = await db.tenant([customerId], async (tx) => {
    if (!(await holdDraft(tx, draft))) return false;
    await tx
      .updateTable('form_drafts')
      .set({
        token_hash: hashSecret(token),
        sealed: sealDraft(keys, id, mailed),
        updated_at: clock.now(),
        expires_at: mailed.expiresAt,
      })
      .where('customer_id', '=', customerId)
      .where('id', '=', id)
      .execute();
    await keepFilesUntil(tx, clock, mailed);
    await acceptWithin(tx, deps, act, { mode: 'live', messages: [mail] });
    return true;
  });
  if (isSent) deps.onAccepted();
  return isSent;
}

function isAllowed({ rateLimits }: DraftMailDeps, subject: string, count: number): boolean {
  return rateLimits.take(subject, { count, windowSeconds: HOUR_SECONDS }).allowed;
}
