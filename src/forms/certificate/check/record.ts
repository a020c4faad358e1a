import canonicalize from 'canonicalize';
import { requireThat } from './broken.ts';

export const RECORD_KIND = 'carepost certificate 1';

/** One thing that the pages show. */
export type Shown =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'entry'; label: string; lines: [look: string, text: string][] };

/** A signature as a certificate tells of it. */
export interface RecordedSignature {
  /** In which part somebody signed: `signer` for whoever sent the form, `guardian`, `witness` and the like. */
  role: string;
  name: string | null;
  method: string;
  /** The mark, a PNG or JPEG in base64. */
  image: string | null;
  signed_at: string;
  consent_text: string | null;
  form_version: number;
  form_hash: string;
  answers_hash: string;
  /** The installation's own signature over all of this, as it is kept with the submission. */
  proof: string;
}

/** Everything that a certificate says; the pages are written from it, and it is attached to them. */
export interface CertificateRecord {
  kind: typeof RECORD_KIND;
  form: { id: string; title: string; language: string; version: number; hash: string };
  submission: { id: string; received_at: string };
  shown: Shown[];
  answers: Record<string, unknown>;
  /** The paths among these that nobody was asked for. */
  unasked: string[];
  attachments: { id: string; name: string; type: string; size: number; sha256: string }[];
  signatures: RecordedSignature[];
  /** Whether nobody is still to sign. */
  complete: boolean;
  made_at: string;
  /** SHA-256 of the sealing certificate and of those above it, in the order of the signature. */
  sealed_by: string[];
  /** Whether a time stamp belongs to the seal; `away` where one was wanted and the authority gave none. */
  time_stamp: 'none' | 'present' | 'away';
  /** SHA-256 of the certificates of those who may have stamped it, as far as the installation knows them. */
  time_authorities: string[];
  /** Where the installation's own page for checking stands. */
  verify_url: string;
}

/** A record as it is attached: JSON with one way to write it (RFC 8785). Halves of signs have none and become U+FFFD. */
export function writeRecord(record: CertificateRecord): string {
  const whole = JSON.stringify(record).replace(/\\(ud[89a-f][0-9a-f]{2}|.)/g, (escape, sign: string) =>
    sign.length === 5 ? '\ufffd' : escape,
  );
  return canonical(JSON.parse(whole)) as string;
}

/** Reads a record, which must be written in that one way. */
export function readRecord(text: string): CertificateRecord {
  const record = parse(text) as CertificateRecord | null;
  requireThat(record !== null && record.kind === RECORD_KIND, 'the record is not that of a certificate');
  requireThat(canonical(record) === text, 'the record is not written in the canonical way');
  const { form, submission, signatures, sealed_by: sealedBy, attachments } = record;
  const isWhole =
    typeof form?.title === 'string' &&
    typeof form.id === 'string' &&
    typeof submission?.id === 'string' &&
    typeof record.made_at === 'string' &&
    [signatures, sealedBy, attachments, record.shown, record.time_authorities].every(Array.isArray) &&
    signatures.every((each) => typeof each?.role === 'string' && typeof each.signed_at === 'string');
  requireThat(isWhole, 'the record lacks what a certificate says');
  return record;
}

function canonical(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
