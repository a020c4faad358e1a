import type { Decrypter, Encrypter } from 'age-encryption';

type Identity = string | readonly string[];

/** Loaded with the first file: it takes 24 MB, and few forms are encrypted end to end. */
const loadAge = () => import('age-encryption');

/** Encrypts to everybody who shall be able to read it, each by themselves. */
export async function sealTo(
  recipients: readonly string[],
  plain: Uint8Array | string,
): Promise<Uint8Array<ArrayBuffer>> {
  return (await encrypterTo(recipients)).encrypt(plain) as Promise<Uint8Array<ArrayBuffer>>;
}

/** The same piece by piece, for what may be large. */
export async function sealStreamTo(
  recipients: readonly string[],
  plain: ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  return (await encrypterTo(recipients)).encrypt(plain);
}

/** Opens with an identity (`AGE-SECRET-KEY-…`) or one of several; throws where it is encrypted to none of them. */
export async function openSealed(identity: Identity, sealed: Uint8Array): Promise<Uint8Array> {
  return (await decrypterFor(identity)).decrypt(sealed);
}

/** The same piece by piece; what is no whole file fails at its end. */
export async function openSealedStream(
  identity: Identity,
  sealed: ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  return (await decrypterFor(identity)).decrypt(sealed);
}

async function encrypterTo(recipients: readonly string[]): Promise<Encrypter> {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return encrypter;
}

async function decrypterFor(identity: Identity): Promise<Decrypter> {
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  for (const each of [identity].flat()) decrypter.addIdentity(each);
  return decrypter;
}
