/** A certificate that does not prove what it says; the message says why, without a word of its content. */
export class CertificateBroken extends Error {
  override name = 'CertificateBroken';
}

/** Throws unless something holds that a sound certificate has. */
export function requireThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new CertificateBroken(otherwise);
}
