import { requireThat } from './broken.ts';
import { type Bytes, bytesOfHex, hexOf, joined } from './bytes.ts';
import { der, inside, oidOf, readOne, TAG } from './der.ts';

export type Digest = 'SHA-256' | 'SHA-384' | 'SHA-512';

const HASHES: Record<string, Digest> = {
  '608648016503040201': 'SHA-256',
  '608648016503040202': 'SHA-384',
  '608648016503040203': 'SHA-512',
};
const RSA: Record<string, Digest | null> = {
  '2a864886f70d010101': null, // rsaEncryption: the hash is named beside it
  '2a864886f70d01010b': 'SHA-256',
  '2a864886f70d01010c': 'SHA-384',
  '2a864886f70d01010d': 'SHA-512',
};
const ECDSA: Record<string, Digest> = {
  '2a8648ce3d040302': 'SHA-256',
  '2a8648ce3d040303': 'SHA-384',
  '2a8648ce3d040304': 'SHA-512',
};
const CURVES: Record<string, Curve> = {
  '2a8648ce3d030107': {
    name: 'P-256',
    bytes: 32,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  },
  '2b81040022': {
    name: 'P-384',
    bytes: 48,
    order: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  },
  '2b81040023': {
    name: 'P-521',
    bytes: 66,
    order:
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  },
};

interface Curve {
  name: string;
  bytes: number;
  /** How many points there are; a signature with `order - s` in the place of `s` holds as well. */
  order: bigint;
}

/** A signature with the identifiers that came with it. */
interface Signed {
  algorithm: Uint8Array;
  /** The hash that stands beside the algorithm, where one does. */
  digest: Digest | null;
  signature: Uint8Array;
  signed: Bytes;
}

/** The hash that an identifier names. */
export function digestOf(algorithm: Uint8Array): Digest {
  const digest = HASHES[nameOf(algorithm)];
  requireThat(digest !== undefined, 'the signature uses a hash that is not trusted');
  return digest;
}

/** Whether the holder of a public key signed this. */
export async function holdsSignature(publicKey: Bytes, given: Signed): Promise<boolean> {
  const { signature, signed } = given;
  const oid = nameOf(given.algorithm);
  const hash = ECDSA[oid] ?? RSA[oid] ?? (oid in RSA ? given.digest : null);
  requireThat(hash !== null, 'the signature uses an algorithm that is not trusted');
  if (oid in RSA) {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash };
    const key = await crypto.subtle.importKey('spki', publicKey, algorithm, false, ['verify']).catch(() => null);
    return key !== null && crypto.subtle.verify(algorithm, key, new Uint8Array(signature), signed);
  }
  const curve = curveOf(publicKey);
  requireThat(curve !== undefined, 'the signature uses an algorithm that is not trusted');
  const algorithm = { name: 'ECDSA', namedCurve: curve.name, hash };
  const key = await crypto.subtle.importKey('spki', publicKey, algorithm, false, ['verify']).catch(() => null);
  return key !== null && crypto.subtle.verify(algorithm, key, plainPair(signature, curve.bytes), signed);
}

/** An identifier of a hash in the one way that certificates have it. */
export function plainDigest(algorithm: Uint8Array): Bytes {
  return identifier(nameOf(algorithm));
}

/** What tells how something was signed, in one way where there are several. */
interface Told {
  publicKey: Uint8Array;
  digest: Uint8Array;
  algorithm: Uint8Array;
  signature: Uint8Array;
}

/** The same signature in the one way that certificates have it: nothing of it can be told otherwise. */
export function plainSignature({
  publicKey,
  digest,
  algorithm,
  signature,
}: Told): Pick<Told, 'algorithm' | 'signature'> {
  const oid = nameOf(algorithm);
  if (oid in RSA) {
    const named = RSA[oid] === null ? Object.keys(RSA).find((each) => RSA[each] === HASHES[nameOf(digest)]) : oid;
    return { algorithm: identifier(named ?? oid), signature };
  }
  return { algorithm: identifier(oid), signature: lowSignature(publicKey, signature) };
}

/** Of the two ECDSA signatures that hold alike, the one with the smaller number; others have no second. */
export function lowSignature(publicKey: Uint8Array, signature: Uint8Array): Uint8Array {
  const curve = curveOf(publicKey);
  if (curve === undefined) return signature;
  const pair = hexOf(plainPair(signature, curve.bytes));
  const [r, s] = [pair.slice(0, 2 * curve.bytes), pair.slice(2 * curve.bytes)].map((hex) => BigInt(`0x${hex}`));
  const { order } = curve;
  requireThat(r !== undefined && s !== undefined && s < order, ODD);
  return der(TAG.sequence, integer(r), integer(s > order / 2n ? order - s : s));
}

function integer(value: bigint): Bytes {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return der(TAG.integer, bytesOfHex(Number.parseInt(even.slice(0, 2), 16) < 0x80 ? even : `00${even}`));
}

/** With nothing behind the name, which every reader takes (RFC 4055 5, RFC 5754 2). */
function identifier(oid: string): Bytes {
  return der(TAG.sequence, der(TAG.oid, bytesOfHex(oid)));
}

function curveOf(publicKey: Uint8Array): Curve | undefined {
  const [algorithm] = inside(readOne(publicKey, TAG.sequence), TAG.sequence);
  const [, curve] = inside(algorithm, TAG.sequence);
  return curve?.tag === TAG.oid ? CURVES[oidOf(curve)] : undefined;
}

/** An identifier stands alone or with NULL behind it, and in no other way. */
function nameOf(algorithm: Uint8Array): string {
  const [oid, nothing, ...more] = inside(readOne(algorithm, TAG.sequence), TAG.sequence);
  const isPlain = nothing === undefined || hexOf(nothing.whole) === '0500';
  requireThat(isPlain && more.length === 0, 'the signature uses an algorithm that is not trusted');
  return oidOf(oid);
}

/** The two numbers of an ECDSA signature (RFC 3279 2.2.3) as WebCrypto takes them. */
function plainPair(signature: Uint8Array, bytes: number): Bytes {
  const numbers = inside(readOne(signature, TAG.sequence), TAG.sequence);
  requireThat(numbers.length === 2, ODD);
  return joined(
    numbers.map(({ tag, content }) => {
      const [first = 0x80, second = 0] = content;
      const isPositive = first < 0x80 && (first > 0 || second >= 0x80);
      const number = first === 0 ? content.subarray(1) : content;
      requireThat(tag === TAG.integer && isPositive && number.length <= bytes, ODD);
      return joined([new Uint8Array(bytes - number.length), number]);
    }),
  );
}

const ODD = 'the signature is not encoded as it must be';
