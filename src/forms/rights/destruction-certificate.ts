import { type Static, Type } from 'typebox';
import { SignatureBroken, type SigningKey, signContents, verifyContents } from '../../accounts/index.ts';

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

/** Signs what was destroyed. */
export function certifyDestruction(
  key: SigningKey,
  told: Omit<DestructionContents, 'format' | 'method' | 'publicKey'>,
): DestructionCertificate {
  return signContents(key, { format: FORMAT, ...told, method: METHOD } as const);
}

export interface VerifiedDestruction {
  contents: DestructionContents;
  /** Of the key that signed. */
  fingerprint: string;
}

/**
 * Checks a certificate by itself, without database or network; throws SignatureBroken where it is not as it was
 * signed. Where `keys` are given, one must be the fingerprint of the key that signed.
 */
export function verifyDestruction(bytes: Uint8Array, keys: readonly string[] | null = null): VerifiedDestruction {
  const expected = { schema: DestructionContents, name: 'certificate of destruction' };
  const verified = verifyContents(bytes, expected, keys);
  const { count, submissions } = verified.contents;
  if (new Set(submissions.map(({ id }) => id)).size !== count)
    throw new SignatureBroken('it does not name as many submissions as it counts');
  return verified;
}
