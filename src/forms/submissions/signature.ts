import { createHash, sign, verify } from 'node:crypto';
import type { SigningKey } from '../../accounts/index.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { isBlank, isRecord, isUnsigned, isYes } from '../model/normalise.ts';

export type SignatureMethod = 'typed' | 'drawn' | 'uploaded';

/** A confirmation as the person who signs gave it. */
export interface GivenSignature {
  name: string | null;
  method: SignatureMethod;
  image: Buffer | null;
}

/** What is kept of a signature: who signed how and when, and what was in front of them, bound together. */
export interface Evidence {
  name: string | null;
  method: SignatureMethod;
  /** A PNG or JPEG in base64. */
  image: string | null;
  signedAt: string;
  consentText: string | null;
  /** What the form was called, and in which language it was signed; older ones lack both. */
  title?: string;
  language?: string;
  formVersion: number;
  formHash: string;
  answersHash: string;
  /** By the installation, over all of this and the ids of form and submission. */
  proof: string;
}

const NAMELESS: GivenSignature = { name: null, method: 'typed', image: null };
const LONGEST_NAME = 200;
/** No part of a name, but a way to make one look like more than one line. */
const UNWRITABLE = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const LARGEST_IMAGE = 1024 * 1024;
const METHODS: SignatureMethod[] = ['typed', 'drawn', 'uploaded'];
const DATA_URL = /^data:image\/(?:png|jpeg);base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

/** The confirmation that came beside the answers; null where there is none. */
export function readSignature(sent: unknown): GivenSignature | null {
  if (sent === undefined || sent === null) return null;
  if (!isRecord(sent)) throw invalidField('signature', 'must be an object');
  return readConfirmation(sent);
}

/** The confirmation in an answer, which is any that is not blank or false; null where there is none. */
export function readSignedAnswer(answer: unknown): GivenSignature | null {
  if (isBlank(answer) || isUnsigned(answer)) return null;
  if (isRecord(answer) && 'confirmed' in answer) return readConfirmation(answer);
  if (typeof answer !== 'string') return NAMELESS;
  const text = answer.trim();
  if (text.startsWith('data:')) return { name: null, method: 'drawn', image: readImage(text) };
  return { name: text.replace(UNWRITABLE, ' ').slice(0, LONGEST_NAME), method: 'typed', image: null };
}

/** The same of an answer that nobody asked for, which is not refused for what cannot be kept of it. */
export function readFreeSignature(answer: unknown): GivenSignature | null {
  try {
    return readSignedAnswer(answer);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return isRecord(answer) && !isYes(answer['confirmed']) ? null : NAMELESS;
  }
}

function readConfirmation(given: Record<string, unknown>): GivenSignature | null {
  if ('confirmed' in given && isUnsigned(given)) return null;
  const { confirmed, name, method, image } = given;
  if (!isYes(confirmed)) throw invalidField('signature.confirmed', 'must be true');
  const signer = readName(name);
  const picture = image === undefined || image === null || image === '' ? null : readImage(image);
  if (signer === null && picture === null) throw invalidField('signature.name', 'is required');
  return { name: signer, image: picture, method: readMethod(method, picture) };
}

function readName(name: unknown): string | null {
  if (name === undefined || name === null) return null;
  if (typeof name !== 'string' || name.length > LONGEST_NAME) {
    throw invalidField('signature.name', `takes a text of at most ${LONGEST_NAME} characters`);
  }
  if (name.trim().search(UNWRITABLE) !== -1) throw invalidField('signature.name', 'must be one line of plain text');
  return name.trim() === '' ? null : name.trim();
}

function readMethod(method: unknown, image: Buffer | null): SignatureMethod {
  if (method === undefined || method === null) return image === null ? 'typed' : 'drawn';
  const known = METHODS.find((each) => each === method);
  if (known === undefined) throw invalidField('signature.method', `takes ${METHODS.join(', ')}`);
  if (known !== 'typed' && image === null) throw invalidField('signature.image', `is required for ${known}`);
  return known;
}

function readImage(image: unknown): Buffer {
  const rule = 'takes a PNG or JPEG of at most 1 MB, as base64 or data URL';
  const text = typeof image === 'string' ? image.replace(DATA_URL, '').replace(/[\r\n]/g, '') : '';
  if (!BASE64.test(text) || text.length > Math.ceil(LARGEST_IMAGE / 3) * 4) throw invalidField('signature.image', rule);
  const bytes = Buffer.from(text, 'base64');
  const isPicture = [PNG, JPEG].some((start) => bytes.subarray(0, start.length).equals(start));
  if (!isPicture || bytes.length > LARGEST_IMAGE) throw invalidField('signature.image', rule);
  return bytes;
}

/** What a signature is bound to beside itself. */
export interface Bound {
  submissionId: string;
  formId: string;
  /** In which part somebody signed who did not send the form. */
  role?: string;
}

/** Binds a signature to what was signed, so that neither can be exchanged afterwards. */
export function bindSignature(
  key: SigningKey,
  bound: Bound,
  given: GivenSignature,
  signed: Omit<Evidence, 'name' | 'method' | 'image' | 'proof'>,
): Evidence {
  const { name, method } = given;
  const evidence = { name, method, image: given.image?.toString('base64') ?? null, ...signed };
  return { ...evidence, proof: sign(null, statementOf(bound, evidence), key.privateKey).toString('base64url') };
}

/** Whether a signature belongs to this submission and is unchanged. */
export function isGenuine(key: SigningKey, bound: Bound, { proof, ...evidence }: Evidence): boolean {
  return verify(null, statementOf(bound, evidence), key.publicKey, Buffer.from(proof, 'base64url'));
}

/** What the installation signs; the first kind did not say what the form was called. */
function statementOf({ submissionId, formId, role }: Bound, evidence: Omit<Evidence, 'proof'>): Buffer {
  const { name, method, image, signedAt, consentText, formVersion, formHash, answersHash, title, language } = evidence;
  const imageHash = image === null ? null : createHash('sha256').update(image).digest('hex');
  return Buffer.from(
    JSON.stringify([
      title === undefined ? 'carepost signature 1' : 'carepost signature 2',
      submissionId,
      formId,
      name,
      method,
      imageHash,
      signedAt,
      consentText,
      formVersion,
      formHash,
      answersHash,
      ...(title === undefined ? [] : [title, language]),
      ...(role === undefined ? [] : [role]),
    ]),
  );
}
