import { createHash, sign, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SigningKey } from '../../accounts/index.ts';
import { decodePublicKey, encodePublicKey, fingerprintOf } from '../../email/index.ts';

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
const Manifest = Type.Object({ contents: Contents, signature: Type.String() }, closed);

export type ManifestContents = Static<typeof Contents>;
export type ListedFile = ManifestContents['files'][number];

/** A file as the manifest lists it. */
export function listed(name: string, content: Uint8Array): ListedFile {
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** The manifest of a pack as a file, signed over its canonical JSON (RFC 8785). */
export function signManifest(
  { privateKey, publicKey }: SigningKey,
  told: Omit<ManifestContents, 'format' | 'publicKey'>,
): string {
  const contents = { format: FORMAT, ...told, publicKey: encodePublicKey(publicKey) } as const;
  const signature = sign(null, signedBytes(contents), privateKey).toString('base64');
  return `${JSON.stringify({ contents, signature }, null, 1)}\n`;
}

/** The first thing that is wrong with a pack. */
export class PackBroken extends Error {
  override name = 'PackBroken';
}

/**
 * Reads a manifest; throws PackBroken where it is not as it was signed. Where `key` is given, it must be the fingerprint
 * of the key that signed.
 */
export function readManifest(text: string, key: string | null): { contents: ManifestContents; fingerprint: string } {
  const manifest = parse(text);
  if (!Value.Check(Manifest, manifest)) throw new PackBroken('the manifest is none');
  const { contents, signature } = manifest;
  const publicKey = decodePublicKey(contents.publicKey);
  if (publicKey === null) throw new PackBroken('the public key cannot be read');
  const fingerprint = fingerprintOf(publicKey);
  if (key !== null && key !== fingerprint) throw new PackBroken('it was signed with another key than the one given');
  if (!verify(null, signedBytes(contents), publicKey, Buffer.from(signature, 'base64')))
    throw new PackBroken('the signature does not fit the manifest');
  return { contents, fingerprint };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PackBroken('the manifest does not hold JSON');
  }
}

function signedBytes(contents: ManifestContents): Buffer {
  return Buffer.from(canonicalize(contents) ?? '');
}
