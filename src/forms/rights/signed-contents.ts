import { type KeyObject, sign, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Static, TObject } from 'typebox';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SigningKey } from '../../accounts/index.ts';
import { decodePublicKey, encodePublicKey, fingerprintOf } from '../../email/index.ts';

/** What was told and the signature of whoever tells it, over its canonical JSON (RFC 8785). */
export interface Signed<Contents> {
  contents: Contents;
  signature: string;
}

/** The first thing that is wrong with a certificate. */
export class DestructionBroken extends Error {
  override name = 'DestructionBroken';
}

/** Signs contents with the installation's key, whose public half stands among them. */
export function signContents<Contents extends object>(
  { privateKey, publicKey }: SigningKey,
  told: Contents,
): Signed<Contents & { publicKey: string }> {
  const contents = { ...told, publicKey: encodePublicKey(publicKey) };
  return { contents, signature: sign(null, signedBytes(contents), privateKey).toString('base64') };
}

/**
 * Checks what was signed by itself, without database or network; throws DestructionBroken where it is not as it was
 * signed, or is of another kind. Where `key` is given, it must be the fingerprint of the key that signed.
 */
export function verifyContents<Schema extends TObject>(
  bytes: Uint8Array,
  schema: Schema,
  key: string | null,
): { contents: Static<Schema>; fingerprint: string } {
  const { contents, signature } = read(bytes, schema);
  const publicKey = decodePublicKey((contents as { publicKey: string }).publicKey);
  if (publicKey === null) throw new DestructionBroken('the public key cannot be read');
  const fingerprint = fingerprintOf(publicKey);
  if (key !== null && key !== fingerprint)
    throw new DestructionBroken('it was signed with another key than the one given');
  if (!isSigned(publicKey, contents, signature)) throw new DestructionBroken('the signature does not fit it');
  return { contents, fingerprint };
}

function read<Schema extends TObject>(bytes: Uint8Array, schema: Schema): Signed<Static<Schema>> {
  const value = parse(bytes);
  // What the API answers holds the certificate under `data`, and nothing beside it.
  const isAnswer = typeof value === 'object' && value !== null && Object.keys(value).join() === 'data';
  const certificate = isAnswer ? (value as { data: unknown }).data : value;
  const signed = Type.Object({ contents: schema, signature: Type.String() }, { additionalProperties: false });
  if (!Value.Check(signed, certificate)) throw new DestructionBroken('the file is no certificate of destruction');
  return certificate as unknown as Signed<Static<Schema>>;
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

function isSigned(publicKey: KeyObject, contents: object, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.toString('base64') === signature && verify(null, signedBytes(contents), publicKey, bytes);
}

function signedBytes(contents: object): Buffer {
  return Buffer.from(canonicalize(contents) ?? '');
}
