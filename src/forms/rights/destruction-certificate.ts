import { type KeyObject, sign, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SigningKey } from '../../accounts/index.ts';
import { decodePublicKey, encodePublicKey, fingerprintOf } from '../../email/index.ts';

const closed = { additionalProperties: false };
const Moment = Type.String({ format: 'date-time' });

const FORMAT = 'carepost destruction 1';
const METHOD = 'Each key was destroyed; rows and files were deleted.';

export const DestructionContents = Type.Object(
  {
    format: Type.Literal(FORMAT),
    id: Type.String({ format: 'uuid' }),
    customerId: Type.Integer(),
    formId: Type.String({ format: 'uuid' }),
    at: Moment,
    actor: Type.Object({ kind: Type.String(), id: Type.String() }, closed),
    reason: Type.Union([Type.Literal('retention'), Type.Literal('request')]),
    retentionDays: Type.Union([Type.Integer(), Type.Null()]),
    method: Type.Literal(METHOD),
    count: Type.Integer({ minimum: 1 }),
    files: Type.Integer({ minimum: 0 }),
    firstReceived: Moment,
    lastReceived: Moment,
    submissions: Type.Array(
      Type.Object(
        {
          id: Type.String({ format: 'uuid' }),
          sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the sealed answers as they were stored' }),
        },
        closed,
      ),
    ),
    publicKey: Type.String({ description: 'Ed25519, as SPKI in base64' }),
  },
  closed,
);

/** What proves to somebody without access that submissions were destroyed. It holds no answer and no address. */
export const DestructionCertificate = Type.Object({ contents: DestructionContents, signature: Type.String() }, closed);
export type DestructionCertificate = Static<typeof DestructionCertificate>;
export type DestructionContents = Static<typeof DestructionContents>;

/** Signs what was destroyed, over its canonical JSON (RFC 8785). */
export function certifyDestruction(
  { privateKey, publicKey }: SigningKey,
  told: Omit<DestructionContents, 'format' | 'method' | 'publicKey'>,
): DestructionCertificate {
  const contents = { format: FORMAT, ...told, method: METHOD, publicKey: encodePublicKey(publicKey) } as const;
  return { contents, signature: sign(null, signedBytes(contents), privateKey).toString('base64') };
}

/** The first thing that is wrong with a certificate. */
export class DestructionBroken extends Error {
  override name = 'DestructionBroken';
}

export interface VerifiedDestruction {
  contents: DestructionContents;
  /** Of the key that signed. */
  fingerprint: string;
}

/**
 * Checks a certificate by itself, without database or network; throws DestructionBroken where it is not as it was
 * signed. Where `key` is given, it must be the fingerprint of the key that signed.
 */
export function verifyDestruction(bytes: Uint8Array, key: string | null = null): VerifiedDestruction {
  const certificate = read(bytes);
  const { contents } = certificate;
  const publicKey = decodePublicKey(contents.publicKey);
  if (publicKey === null) throw new DestructionBroken('the public key cannot be read');
  const fingerprint = fingerprintOf(publicKey);
  if (key !== null && key !== fingerprint)
    throw new DestructionBroken('it was signed with another key than the one given');
  if (!isSigned(publicKey, certificate)) throw new DestructionBroken('the signature does not fit it');
  if (new Set(contents.submissions.map(({ id }) => id)).size !== contents.count)
    throw new DestructionBroken('it does not name as many submissions as it counts');
  return { contents, fingerprint };
}

function read(bytes: Uint8Array): DestructionCertificate {
  const value = parse(bytes);
  // What the API answers holds the certificate under `data`, and nothing beside it.
  const isAnswer = typeof value === 'object' && value !== null && Object.keys(value).join() === 'data';
  const certificate = isAnswer ? (value as { data: unknown }).data : value;
  if (!Value.Check(DestructionCertificate, certificate))
    throw new DestructionBroken('the file is no certificate of destruction');
  return certificate;
}

/** Reads JSON that says nothing twice: what somebody sees in the file is what is checked. */
function parse(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new DestructionBroken('the file does not hold JSON');
  }
  const dense = text.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g, '$1');
  if (JSON.stringify(value) !== dense) throw new DestructionBroken('the file does not hold plain JSON');
  return value;
}

function isSigned(publicKey: KeyObject, { contents, signature }: DestructionCertificate): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.toString('base64') === signature && verify(null, signedBytes(contents), publicKey, bytes);
}

function signedBytes(contents: DestructionContents): Buffer {
  return Buffer.from(canonicalize(contents) ?? '');
}
