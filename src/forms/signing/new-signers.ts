import { addressKey, type Message, parseAddress } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Query } from '../../platform/db/database.ts';
import { toHex } from '../../platform/db/packed-bytes.ts';
import type { RateLimits } from '../../platform/http/limits/rate-limits.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { FormVersion } from '../definition/compiled-versions.ts';
import { whatWasAsked } from '../model/asked.ts';
import type { Answers } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import { todayAt } from '../model/today.ts';
import { languagesOf } from '../model/translate.ts';
import { invitation } from './mails.ts';
import { type Sealed, sealContact, signerExpiry } from './signer.ts';
import { type SignerRule, signersOf } from './signers-of.ts';

/** A signer as one is written; bytes are in hex. */
export interface SignerRow {
  id: string;
  customer_id: number;
  form_id: string;
  submission_id: string;
  ordinal: number;
  role: string;
  required: boolean;
  token_hash: string | null;
  sealed: string | null;
  created_at: Date;
  expires_at: Date | null;
}

/** Anybody can fill in a public form with the address of somebody else. */
const MOST_TO_ADDRESS = { count: 5, windowSeconds: 3600 };

interface Deps {
  clock: Clock;
  rateLimits: RateLimits;
  systemFrom: string;
  publicUrl: string;
}

interface Coming {
  keys: CustomerVault;
  formId: string;
  submission: Sealed;
  version: FormVersion;
  answers: Answers;
  /** Nobody else signs what only the customer can read. */
  isReadable: boolean;
}

const KEEP = `
  insert into submission_signers
    (id, customer_id, form_id, submission_id, ordinal, role, required, token_hash, sealed, created_at, expires_at)
  select id, customer_id, form_id, submission_id, ordinal, role, required, token_hash, sealed, created_at, expires_at
  from json_to_recordset($1::json) as s (id uuid, customer_id int, form_id uuid, submission_id uuid, ordinal smallint,
    role text, required boolean, token_hash bytea, sealed bytea, created_at timestamptz, expires_at timestamptz)`;

/**
 * Who is to sign a submission that comes in, and the mails to those whose address was answered. A form that did not ask for
 * somebody's address does not want them to sign; who was mailed too often of late waits until the customer asks them.
 */
export function newSigners(deps: Deps, coming: Coming): { rows: SignerRow[]; mails: Message[] } {
  const rules = coming.isReadable ? signersOf(coming.version.form_json) : [];
  const isWanted = rules.length === 0 ? () => true : whoIsWanted(deps, coming);
  const made = rules.flatMap((rule, ordinal) => (isWanted(rule) ? [newSigner(deps, coming, rule, ordinal)] : []));
  return { rows: made.map(({ row }) => row), mails: made.flatMap(({ mail }) => mail ?? []) };
}

function whoIsWanted({ clock }: Deps, { version, answers }: Coming): (rule: SignerRule) => boolean {
  const isAsked = whatWasAsked(version.model, answers, todayAt(clock.now()));
  const questions = new Map(questionsOf(version.model).map((question) => [question.name, question]));
  return ({ emailQuestion }) => {
    const question = emailQuestion === null ? undefined : questions.get(emailQuestion);
    return question === undefined || isAsked(question);
  };
}

/** What writes signers in the transaction of their submissions. */
export function keepSignersQuery(rows: readonly SignerRow[]): Query {
  return { name: 'keep-signers', text: KEEP, values: [JSON.stringify(rows)] };
}

function newSigner(
  { clock, rateLimits, systemFrom, publicUrl }: Deps,
  { keys, formId, submission, version, answers }: Coming,
  { role, required, emailQuestion }: SignerRule,
  ordinal: number,
): { row: SignerRow; mail: Message | null } {
  const id = timeOrderedId(clock);
  const { customerId } = submission;
  const address = emailQuestion === null ? null : addressIn(answers, emailQuestion);
  const now = clock.now();
  const row = { id, customer_id: customerId, form_id: formId, submission_id: submission.id, ordinal, role, required };
  if (address === null || !mayBeMailed(rateLimits, customerId, keys, address)) {
    return { row: { ...row, token_hash: null, sealed: null, created_at: now, expires_at: null }, mail: null };
  }
  const token = newSecret();
  const [language = 'en'] = languagesOf(version.form_json);
  return {
    row: {
      ...row,
      token_hash: toHex(hashSecret(token) as Buffer),
      sealed: toHex(sealContact(keys, submission, id, { address, name: null })),
      created_at: now,
      expires_at: signerExpiry(now),
    },
    mail: invitation({ systemFrom, publicUrl, address, language }, token),
  };
}

function mayBeMailed(rateLimits: RateLimits, customerId: number, keys: CustomerVault, address: string): boolean {
  const index = keys.blindIndex('signer address', addressKey(address)).toString('base64url');
  return rateLimits.take(`signer-address/${customerId}/${index}`, MOST_TO_ADDRESS).allowed;
}

function addressIn(answers: Answers, question: string): string | null {
  const answer = Object.hasOwn(answers, question) ? answers[question] : undefined;
  return typeof answer === 'string' ? (parseAddress(answer)?.address ?? null) : null;
}
