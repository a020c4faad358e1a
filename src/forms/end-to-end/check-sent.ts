import { AppError, invalidField } from '../../platform/errors.ts';
import { BODY_LIMITS, type BodyLimits } from '../../platform/http/body/streamed/limits.ts';
import type { FormVersion } from '../definition/compiled-versions.ts';
import type { PageSettings } from '../definition/page-settings.ts';
import { GateRefusal } from '../gate/refusal.ts';
import { questionsOf } from '../model/questions.ts';
import { type Checked, checkSubmission } from '../submissions/check-submission.ts';
import type { Sent } from '../submissions/read-submission.ts';
import { isAgeFile } from './age-structure.ts';

/** 4 MB of encrypted answers, without files. */
export const MOST_SEALED = 4 * 2 ** 20;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const LONGEST_TEXT = Math.ceil(MOST_SEALED / 3) * 4;
const ROOM_BESIDE = 256 * 1024;

/** A name of a file that says nothing. */
const NEUTRAL_NAME = /^[0-9a-f]{32}\.age$/;

interface Form {
  page: Pick<PageSettings, 'sealedTo'>;
}

/** Whether only the customer can read what is sent to a form. */
export function isSealedForm({ page }: Form): boolean {
  return page.sealedTo.length > 0;
}

/** How much may come to a form beside its files. */
export function limitsOf(form: Form): BodyLimits {
  if (!isSealedForm(form)) return BODY_LIMITS;
  return { ...BODY_LIMITS, stringBytes: LONGEST_TEXT + ROOM_BESIDE, skeletonBytes: LONGEST_TEXT + 2 * ROOM_BESIDE };
}

/** Holds what was sent against the form, as far as it can be read here. */
export function checkSent(form: Form, version: FormVersion, sent: Sent, now: Date): Checked {
  if (!isSealedForm(form)) {
    if (sent.sealed !== undefined) throw invalidField('sealed', 'is not taken by this form');
    return checkSubmission(version, sent, now);
  }
  if (sent.sealed === undefined) throw new GateRefusal('sealed');
  if (Object.keys(sent.formData).length > 0) throw invalidField('form_data', 'must be empty where answers are sealed');
  if (sent.signature !== undefined && sent.signature !== null) {
    throw invalidField('signature', 'must be among what is sealed');
  }
  checkSealed(sent.sealed);
  checkFiles(version, sent.files);
  return { answers: {}, asked: {}, unasked: [], files: sent.files, signature: null };
}

function checkSealed(sealed: string): void {
  if (sealed.length > LONGEST_TEXT) throw tooLarge();
  if (!BASE64.test(sealed) || sealed.length % 4 !== 0) throw invalidField('sealed', 'takes base64');
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length > MOST_SEALED) throw tooLarge();
  if (!isAgeFile(bytes)) throw invalidField('sealed', 'takes a file of age, encrypted to the keys of this form');
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', `sealed: takes at most ${MOST_SEALED} bytes`);
}

/** What files are and which question they answer is among what is sealed; here they have a size and nothing else. */
function checkFiles({ model }: FormVersion, files: Sent['files']): void {
  if (files.length > 0 && !model.takesFiles) throw invalidField('attachments', 'are not taken by this form');
  const most = largestFile(model);
  for (const [i, { name, field, size }] of files.entries()) {
    requireNeutral(`attachments.${i}`, { name, field });
    if (size > most) throw invalidField(`attachments.${i}`, `takes at most ${most} bytes`);
  }
}

/** Throws where a file says what it is. */
export function requireNeutral(at: string, { name, field }: { name: string; field: string | null }): void {
  if (!NEUTRAL_NAME.test(name)) throw invalidField(`${at}.name`, 'takes 32 hexadecimal digits and .age');
  if (field !== null) throw invalidField(`${at}.field`, 'must be among what is sealed');
}

/** What the largest file may have that any question takes, encrypted. */
function largestFile(model: FormVersion['model']): number {
  const asked = questionsOf(model).flatMap((question) => (question.kind === 'group' ? question.items : [question]));
  const limits = asked.flatMap((each) => (each.kind === 'file' ? [each.mostBytes ?? Infinity] : []));
  const most = limits.length === 0 ? Infinity : Math.max(...limits);
  // 16 bytes for each 64 KB, and the header.
  return most + Math.ceil(most / 4_096) + 64 * 1024;
}
