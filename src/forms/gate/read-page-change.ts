import { type Static, Type } from 'typebox';
import { hashPassword } from '../../accounts/index.ts';
import { invalidField } from '../../platform/errors.ts';
import { Flag, readStrictFlag } from '../../platform/http/body/flag.ts';
import { readMoment } from '../../platform/http/body/read-moment.ts';
import type { PageRow } from '../definition/page-settings.ts';

const MOST_ORIGINS = 20;
const MOST_RECIPIENTS = 10;
const LONGEST_RECIPIENT = 4_000;
/** Signs such as `*` and `;` may stand in a host, and mean something else in a policy. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const Texts = Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()]));

const Watching = Type.Optional(
  Type.Union([Type.Literal('off'), Type.Literal('monitor'), Type.Literal('enforce'), Type.Null()]),
);

export const PageChangeBody = Type.Object({
  closes_at: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
  most_submissions: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }), Type.Literal(''), Type.Null()]),
  ),
  password: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  single_use: Type.Optional(Flag),
  frame_origins: Texts,
  resumable: Type.Optional(Flag),
  proof_of_work: Watching,
  traps: Watching,
  sealed_to: Texts,
});

type Body = Static<typeof PageChangeBody>;

/** What a caller wants changed of how a form stands open: null leaves as it is, an empty text clears. */
export async function readPageChange(body: Body): Promise<Partial<PageRow>> {
  const read = {
    closes_at: given(body.closes_at, readClosing),
    most_submissions: given(body.most_submissions, (most) => (most === '' ? null : most)),
    password_hash: await given(body.password, async (text) => (text === '' ? null : hashPassword(text))),
    single_use: readStrictFlag('single_use', body.single_use) ?? undefined,
    frame_origins: given(body.frame_origins, readOrigins),
    resumable: readStrictFlag('resumable', body.resumable) ?? undefined,
    proof_of_work: body.proof_of_work ?? undefined,
    traps: body.traps ?? undefined,
    sealed_to: await given(body.sealed_to, readRecipients),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

function given<T, R>(value: T | null | undefined, read: (value: T) => R): R | undefined {
  return value === null || value === undefined ? undefined : read(value);
}

function readClosing(text: string): Date | null {
  if (text.trim() === '') return null;
  if (!/^\d{4}-\d{2}-\d{2}[Tt ]/.test(text)) throw invalidField('closes_at', 'takes an RFC 3339 date and time');
  return readMoment('closes_at', text);
}

function readOrigins(texts: string[]): string[] {
  if (texts.length > MOST_ORIGINS) throw invalidField('frame_origins', `takes at most ${MOST_ORIGINS} origins`);
  return [...new Set(texts.map((text, i) => readOrigin(`frame_origins.${i}`, text)))];
}

/** An origin as browsers write it: nothing else could ever match one. */
function readOrigin(field: string, text: string): string {
  const url = URL.parse(text.trim());
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (url === null || !isSafe || !HOST.test(url.hostname) || `${url.origin}/` !== url.href) {
    throw invalidField(field, 'takes an origin such as https://clinic.example');
  }
  return url.origin;
}

/** Answers that are encrypted to a mistyped key would be lost, so each has to be one. */
async function readRecipients(texts: string[]): Promise<string[]> {
  if (texts.length > MOST_RECIPIENTS) throw invalidField('sealed_to', `takes at most ${MOST_RECIPIENTS} recipients`);
  // Loaded where it is needed only: it takes 24 MB.
  const { Encrypter } = await import('age-encryption');
  for (const [i, text] of texts.entries()) {
    try {
      if (!text.startsWith('age1') || text.length > LONGEST_RECIPIENT) throw new TypeError();
      new Encrypter().addRecipient(text);
    } catch {
      throw invalidField(`sealed_to.${i}`, 'takes an age recipient, which begins with age1');
    }
  }
  return [...new Set(texts)];
}
