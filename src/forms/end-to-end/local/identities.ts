/** A new key: whoever has the recipient encrypts to it, whoever has the identity opens. */
export async function makeIdentity(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** The identities in a file as age writes it, one on each line, comments aside; null where there is anything else. */
export function readIdentities(text: string): string[] | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const found = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return found.length > 0 && found.every((line) => /^AGE-SECRET-KEY-[A-Z0-9-]+$/.test(line)) ? found : null;
}
