/** The identities in a file as age writes it, one on each line, comments aside; null where there is anything else. */
export function readIdentities(text: string): string[] | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const found = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return found.length > 0 && found.every((line) => /^AGE-SECRET-KEY-[A-Z0-9-]+$/.test(line)) ? found : null;
}
