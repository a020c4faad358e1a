import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { type SigningKey, signContents, verifyContents } from '../../accounts/index.ts';

const closed = { additionalProperties: false };
const FORMAT = 'carepost evidence pack 1';

const Contents = Type.Object(
  {
    format: Type.Literal(FORMAT),
    from: Type.String({ description: 'The first day' }),
    to: Type.String({ description: 'The last day' }),
    customers: Type.Array(Type.String()),
    madeAt: Type.String(),
    version: Type.String(),
    files: Type.Array(
      Type.Object(
        {
          name: Type.String({ pattern: '^[a-zA-Z0-9][\\w.-]*$' }),
          bytes: Type.Integer({ minimum: 0 }),
          sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
        },
        closed,
      ),
    ),
    publicKey: Type.String({ description: 'Ed25519, as SPKI in base64' }),
  },
  closed,
);

export type ManifestContents = Static<typeof Contents>;
export type ListedFile = ManifestContents['files'][number];

/** A file as the manifest lists it. */
export function listed(name: string, content: Uint8Array): ListedFile {
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** The manifest of a pack as a file, signed. */
export function signManifest(key: SigningKey, told: Omit<ManifestContents, 'format' | 'publicKey'>): string {
  return `${JSON.stringify(signContents(key, { format: FORMAT, ...told }), null, 1)}\n`;
}

/**
 * Reads a manifest; throws SignatureBroken where it is not as it was signed. Where `keys` are given, one must be the
 * fingerprint of the key that signed.
 */
export function readManifest(
  bytes: Uint8Array,
  keys: readonly string[] | null,
): { contents: ManifestContents; fingerprint: string } {
  return verifyContents(bytes, { schema: Contents, name: 'manifest of evidence' }, keys);
}
