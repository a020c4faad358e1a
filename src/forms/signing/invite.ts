import { recordAct } from '../../accounts/index.ts';
import { acceptWithin, addressKey } from '../../email/index.ts';
import type { Act } from '../../platform/act.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import { readVersion } from '../definition/versions.ts';
import { requireReadable } from '../end-to-end/require-readable.ts';
import { languagesOf } from '../model/translate.ts';
import { lockKey } from '../rights/amend.ts';
import { findSubmission, locateSubmission, type ReadDeps, type SubmissionIds } from '../submissions/read.ts';
import { type Submission, submissionNotFound } from '../submissions/submission.ts';
import { invitation } from './mails.ts';
import { type Contact, type Signer, sealContact, signerExpiry } from './signer.ts';
import { MOST_SIGNERS, ruleOf, signersOf } from './signers-of.ts';
import '../tables.ts';

export interface InviteDeps extends ReadDeps {
  blobs: SealedBlobs;
  /** Called after a mail has become durable. */
  onAccepted(): void;
  systemFrom: string;
  publicUrl: string;
}

/** Whom the customer asks to sign, in which part; a test key asks nobody outside. */
export interface Wanted extends Contact {
  role: string;
  mode: 'live' | 'test';
}

/**
 * Mails somebody a link to sign by. Who was asked in this part before, at this address or at none, gets a new link, and
 * the one before leads nowhere any more; anybody else is added. What else has to be written with it comes last.
 */
export async function inviteSigner(
  deps: InviteDeps,
  act: Act,
  { ids, wanted }: { ids: SubmissionIds; wanted: Wanted },
  writeWith: (tx: Tx, signer: Signer) => Promise<void>,
): Promise<Signer> {
  const { db, vault, systemFrom, publicUrl } = deps;
  const { customerId } = act;
  const keys = await vault.of(customerId);
  const token = newSecret();
  const invited = await db.tenant([customerId], async (tx) => {
    const { id } = await locateSubmission(tx, deps.requireOwn, customerId, ids);
    const key = await lockKey(tx, customerId, id);
    const submission = await findSubmission(tx, { ...deps, keys }, customerId, ids);
    requireReadable(submission);
    const formJson = await formOf(tx, customerId, submission);
    const signer = signerIn(deps, submission, formJson, wanted);
    const sealed = sealContact(keys, { customerId, id, key }, signer.id, wantedContact(wanted));
    await write(tx, deps, { customerId, submission, signer, sealed, token });
    await recordAct(tx, deps.clock, act, { target: id, details: { form: submission.formId, signer: signer.id } });
    const language = languagesOf(formJson)[0] ?? 'en';
    const mail = invitation({ systemFrom, publicUrl, address: wanted.address, language }, token);
    const sending = { ...act, action: 'signer.link-sent' };
    await acceptWithin(tx, deps, sending, { mode: wanted.mode, messages: [mail] });
    await writeWith(tx, signer);
    return signer;
  });
  deps.onAccepted();
  return invited;
}

/** Somebody who was asked, once more for whoever asked them, by what was kept of the first answer. */
export async function findInvited(
  deps: ReadDeps,
  customerId: number,
  ids: SubmissionIds,
  kept: unknown,
): Promise<Signer> {
  const keys = await deps.vault.of(customerId);
  const { signers } = await deps.db.tenant([customerId], (tx) =>
    findSubmission(tx, { ...deps, keys }, customerId, ids),
  );
  const { signer: wanted } = kept as { signer: string };
  const found = signers.find(({ id }) => id === wanted);
  if (found === undefined) throw new AppError('not_found', 'No such signer');
  return found;
}

async function formOf(tx: Tx, customerId: number, { formId, formVersion }: Submission): Promise<unknown> {
  const version = await readVersion(tx, customerId, formId, formVersion);
  if (version === undefined) throw submissionNotFound();
  return version.form_json;
}

/** The signer that is asked again or for the first time, as they stand from now on. */
function signerIn({ clock }: InviteDeps, { signers }: Submission, formJson: unknown, wanted: Wanted): Signer {
  const { role } = wanted;
  const asked = signers.filter((each) => each.role === role && each.state !== 'signed');
  const isSame = ({ contact }: Signer) =>
    contact !== null && addressKey(contact.address) === addressKey(wanted.address);
  const before = asked.find(isSame) ?? asked.find(({ contact }) => contact === null);
  const now = { state: 'waiting', contact: wantedContact(wanted), settledAt: null, signature: null } as const;
  const expiresAt = signerExpiry(clock.now());
  if (before !== undefined) return { ...before, ...now, expiresAt };
  if (signers.length >= MOST_SIGNERS)
    throw new AppError('conflict', `A submission takes at most ${MOST_SIGNERS} signers`);
  // After all places that the form itself has.
  const ordinal = Math.max(signersOf(formJson).length - 1, ...signers.map((each) => each.ordinal)) + 1;
  const { required } = ruleOf(formJson, { ordinal, role });
  return { id: timeOrderedId(clock), ordinal, role, required, ...now, expiresAt };
}

function wantedContact({ address, name }: Wanted): Contact {
  return { address, name };
}

interface Writing {
  customerId: number;
  submission: Submission;
  signer: Signer;
  sealed: Buffer;
  token: string;
}

async function write(tx: Tx, { clock }: InviteDeps, { customerId, submission, signer, sealed, token }: Writing) {
  const { id, ordinal, role, required, state, expiresAt } = signer;
  const changes = { state, sealed, token_hash: hashSecret(token), expires_at: expiresAt, settled_at: null };
  await tx
    .insertInto('submission_signers')
    .values({
      id,
      customer_id: customerId,
      form_id: submission.formId,
      submission_id: submission.id,
      ordinal,
      role,
      required,
      created_at: clock.now(),
      ...changes,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute();
}
