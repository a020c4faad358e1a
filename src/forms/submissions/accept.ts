import { createHash } from 'node:crypto';
import type { Counter } from 'prom-client';
import { auditRow, type SigningKey } from '../../accounts/index.ts';
import {
  type Acceptance,
  ADDRESS_COLUMN,
  addressKey,
  type Message,
  parseAddress,
  prepareMessages,
} from '../../email/index.ts';
import type { Act } from '../../platform/act.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { createGroupCommit } from '../../platform/db/group-commit.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Idempotency, IdempotencyClaim } from '../../platform/http/idempotency.ts';
import type { RateLimits } from '../../platform/http/limits/rate-limits.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { momentText } from '../../platform/moment-text.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import type { FindVersion, FormVersion } from '../definition/compiled-versions.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import { checkSent } from '../end-to-end/check-sent.ts';
import { FREE_PASSAGE, type Passage } from '../gate/places.ts';
import { newSigners } from '../signing/new-signers.ts';
import type { Upload } from '../uploads/uploads.ts';
import type { Filling } from './fillings.ts';
import { notificationsOf } from './notify.ts';
import type { Sent } from './read-submission.ts';
import { type ReceivedFile, refuseTooMuch } from './receive.ts';
import { type SubmissionContent, sealSubmission } from './sealed-submission.ts';
import { shownForm } from './shown-form.ts';
import { bindSignature } from './signature.ts';
import { type NewSubmission, sizeOf, writeSubmissions } from './submission-rows.ts';
import { submitterOf } from './submitter.ts';
import { listFedBy, subscriberOf } from './subscriber-of.ts';

/** The column of the blind index by which submissions of one address are found. */
export const SUBMITTER_COLUMN = 'submitter';

/** Half of what is worked on at once: while it is written the other half is made ready, and neither waits for long. */
const MOST_IN_A_TRANSACTION = 32;

export interface AcceptDeps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  idempotency: Idempotency;
  clock: Clock;
  rateLimits: RateLimits;
  findVersion: FindVersion;
  signingKey: SigningKey;
  systemFrom: string;
  publicUrl: string;
  submissions: Counter;
  /** Called after mails have become durable. */
  onAccepted(): void;
}

export interface AcceptedSubmission {
  id: string;
  version: number;
  at: Date;
}

interface Arrival {
  requestId: string;
  form: PublicForm;
  sent: Sent;
  files: ReceivedFile[];
  /** Files that came ahead and are sent along. */
  uploads?: readonly Upload[];
  /** What the gate of the form asks of it. */
  passage?: Passage;
  claim: IdempotencyClaim | null;
  /** The filling of a page that it is. */
  filling?: Filling | null;
}

export type AcceptSubmission = (arrival: Arrival) => Promise<AcceptedSubmission>;

/** Builds the one way in for submissions: checked, sealed, and durable with all that follows before it answers. */
export function createAcceptSubmission(deps: AcceptDeps): AcceptSubmission {
  const { vault, clock, findVersion, signingKey } = deps;
  const commit = createGroupCommit<NewSubmission, void>({
    commit: (batch) => writeSubmissions(deps, batch),
    sizeOf,
    maxItems: MOST_IN_A_TRANSACTION,
  });

  return async ({
    requestId,
    form,
    files,
    uploads = [],
    passage = FREE_PASSAGE,
    claim,
    filling = null,
    ...arrival
  }) => {
    const { customerId, id: formId } = form;
    const sent = { ...arrival.sent, files: [...arrival.sent.files, ...uploads.map(({ file }) => file)] };
    refuseTooMuch(sent.files);
    const version = await findVersion(form, sent.formVersion ?? form.version);
    if (version === null) throw invalidField('form_version', 'is no version of this form');
    const now = clock.now();
    const checked = checkSent(form, version, sent, now);
    const shown = shownForm(version, form.heading, sent.page?.language ?? null);
    const id = timeOrderedId(clock);
    const content: SubmissionContent = {
      answers: checked.answers,
      unasked: checked.unasked,
      files: checked.files,
      shown,
      ...(sent.sealed === undefined ? {} : { endToEnd: sent.sealed }),
      signature:
        checked.signature === null
          ? null
          : bindSignature(signingKey, { submissionId: id, formId }, checked.signature, {
              signedAt: now.toISOString(),
              consentText: sent.page?.consentText ?? version.signature_confirmation_label,
              title: shown.title,
              language: shown.language,
              formVersion: version.version,
              formHash: version.hash,
              answersHash: hashAnswers(checked.answers, sent),
            }),
    };
    const submitter = submitterOf(version.model, checked.asked);
    const keys = await vault.of(customerId);
    const act: Act = { customerId, actor: { kind: 'public', id: formId }, action: 'submission.received', requestId };
    const subscription = subscriptionOf(form, { act, keys }, checked.asked, submitter);
    const sealed = sealSubmission(keys, { customerId, id }, content, submitter);
    const submission = { customerId, id, key: sealed.key };
    const isReadable = sent.sealed === undefined;
    const signers = newSigners(deps, { keys, formId, submission, version, answers: checked.asked, isReadable });
    const notifications = await notify(deps, act, form, id, signers.mails);
    const reply = { id, version: version.version, at: momentText(now) };
    await commit({
      ...sealed,
      id,
      customerId,
      formId,
      formVersion: version.version,
      submitterIndex: submitter === null ? null : keys.blindIndex(SUBMITTER_COLUMN, addressKey(submitter)),
      at: now,
      blobs: files.map(({ blob }) => blob),
      uploads: uploads.map(({ file }) => file.id),
      passage,
      filling,
      signers: signers.rows,
      audit: auditRow(clock, act, { target: id, details: auditDetails(form, version, notifications) }),
      notifications,
      subscription,
      unlisted: subscription === null ? (parseAddress(submitter ?? '')?.address ?? null) : null,
      reply: claim === null ? null : await deps.idempotency.rowFor(claim, { status: 201, body: reply }),
    });
    deps.submissions.inc();
    if (notifications !== null) deps.onAccepted();
    return { id, version: version.version, at: now };
  };
}

async function notify(
  deps: AcceptDeps,
  act: Act,
  { id: formId, recipient }: PublicForm,
  submissionId: string,
  invitations: Message[],
) {
  const { systemFrom, publicUrl } = deps;
  const told = notificationsOf(recipient, { systemFrom, publicUrl, formId, submissionId });
  const messages = [...told, ...invitations];
  if (messages.length === 0) return null;
  const sender = { keyId: null, mode: 'live' } as const;
  const { acceptance } = await prepareMessages(deps, act, { sender, messages, schedule: null });
  return acceptance; // the submission's own audit row tells of them
}

function auditDetails(form: PublicForm, { version }: FormVersion, notifications: Acceptance | null) {
  return { form: form.id, version, mails: notifications?.messages.map(({ id }) => id) ?? [] };
}

function subscriptionOf(
  form: PublicForm,
  { act, keys }: { act: Act; keys: CustomerVault },
  answers: SubmissionContent['answers'],
  submitter: string | null,
) {
  const listId = listFedBy(form);
  const subscriber = listId === null ? null : subscriberOf(answers, submitter);
  if (listId === null || subscriber === null) return null;
  const { email } = subscriber;
  const addressIndex = email === undefined ? null : keys.blindIndex(ADDRESS_COLUMN, addressKey(email));
  return { act: { ...act, action: 'subscriber.saved' }, subscriber, addressIndex, listId };
}

/** Names what was answered and sent along, to the letter. */
export function hashAnswers(answers: SubmissionContent['answers'], { files }: Pick<Sent, 'files'>): string {
  const told = JSON.stringify([answers, files.map(({ name, sha256 }) => [name, sha256])]);
  return createHash('sha256').update(told).digest('hex');
}
