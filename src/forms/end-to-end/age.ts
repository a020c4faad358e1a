import { Decrypter, Encrypter } from 'age-encryption';

type Identity = string | readonly string[];

/** Encrypts to everybody who shall be able to read it, each by themselves. */
export function sealTo(recipients: readonly string[], plain: Uint8Array | string): Promise<Uint8Array<ArrayBuffer>> {
  return encrypterTo(recipients).encrypt(plain) as Promise<Uint8Array<ArrayBuffer>>;
}

/** The same piece by piece, for what may be large. */
export function sealStreamTo(
  recipients: readonly string[],
  plain: ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  return encrypterTo(recipients).encrypt(plain);
}

/** Opens with an identity (`AGE-SECRET-KEY-…`) or one of several; throws where it is encrypted to none of them. */
export function openSealed(identity: Identity, sealed: Uint8Array): Promise<Uint8Array> {
  return decrypterFor(identity).decrypt(sealed);
}

/** The same piece by piece; what is no whole file fails at its end. */
export function openSealedStream(
  identity: Identity,
  sealed: ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  return decrypterFor(identity).decrypt(sealed);
}

function encrypterTo(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return encrypter;
}

function decrypterFor(identity: Identity): Decrypter {
  const decrypter = new Decrypter();
  for (const each of [identity].flat()) decrypter.addIdentity(each);
  return decrypter;
}
