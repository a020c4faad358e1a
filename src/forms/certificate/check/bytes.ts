/** Bytes whose memory is nobody else's, as WebCrypto takes them. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Whether two byte strings are the same. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Byte strings one after the other. */
export function joined(parts: Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Bytes as small hexadecimal digits. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes that an even number of hexadecimal digits stands for. */
export function bytesOfHex(hex: string): Bytes {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

/** Bytes as text in which each byte is one sign, to be searched. */
export function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

/** A hash of bytes. */
export async function hashOf(algorithm: string, bytes: Uint8Array): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest(algorithm, new Uint8Array(bytes)));
}
