import { type KeyObject, sign, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Static, TObject } from 'typebox';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SigningKey } from './audit/signing-key.ts';
import { decodePublicKey, encodePublicKey, fingerprintOf } from './public-key.ts';

/** What was told and the signature of whoever tells it, over its canonical JSON (RFC 8785). */
export interface Signed<Contents> {
  contents: Contents;
  signature: string;
}

/** The first thing that is wrong with what is said to be signed, or with what the signature vouches for. */
export class SignatureBroken extends Error {
  override name = 'SignatureBroken';
}

/** Signs contents with the installation's key, whose public half stands among them. */
export function signContents<Contents extends object>(
  { privateKey, publicKey }: SigningKey,
  told: Contents,
): Signed<Contents & { publicKey: string }> {
  const contents = { ...told, publicKey: encodePublicKey(publicKey) };
  return { contents, signature: sign(null, signedBytes(contents), privateKey).toString('base64') };
}

/** What a file is expected to hold, and what people call it. */
export interface Expected<Schema extends TObject> {
  schema: Schema;
  name: string;
}

/**
 * Checks what was signed by itself, without database or network; throws SignatureBroken where it is not as it was
 * signed, or is of another kind. Where `keys` are given, one must be the fingerprint of the key that signed.
 */
export function verifyContents<Schema extends TObject>(
  bytes: Uint8Array,
  expected: Expected<Schema>,
  keys: readonly string[] | null,
): { contents: Static<Schema>; fingerprint: string } {
  const { contents, signature } = read(bytes, expected);
  const publicKey = decodePublicKey((contents as { publicKey: string }).publicKey);
  if (publicKey === null) throw new SignatureBroken('the public key cannot be read');
  const fingerprint = fingerprintOf(publicKey);
  if (keys !== null && !keys.includes(fingerprint))
    throw new SignatureBroken('it was signed with another key than the one given');
  if (!isSigned(publicKey, contents, signature)) throw new SignatureBroken('the signature does not fit it');
  return { contents, fingerprint };
}

function read<Schema extends TObject>(bytes: Uint8Array, { schema, name }: Expected<Schema>): Signed<Static<Schema>> {
  const value = parse(bytes);
  // What the API answers holds it under `data`, and nothing beside it.
  const isAnswer = typeof value === 'object' && value !== null && Object.keys(value).join() === 'data';
  const given = isAnswer ? (value as { data: unknown }).data : value;
  const signed = Type.Object({ contents: schema, signature: Type.String() }, { additionalProperties: false });
  if (!Value.Check(signed, given)) throw new SignatureBroken(`the file is no ${name}`);
  return given as unknown as Signed<Static<Schema>>;
}

/** Reads JSON that says nothing twice: what somebody sees in the file is what is checked. */
function parse(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new SignatureBroken('the file does not hold JSON');
  }
  const dense = text.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g, '$1');
  if (JSON.stringify(value) !== dense) throw new SignatureBroken('the file does not hold plain JSON');
  return value;
}

function isSigned(publicKey: KeyObject, contents: object, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.toString('base64') === signature && verify(null, signedBytes(contents), publicKey, bytes);
}

function signedBytes(contents: object): Buffer {
  return Buffer.from(canonicalize(contents) ?? '');
}
