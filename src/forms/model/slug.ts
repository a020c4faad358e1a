/** The keys under which clients send the answer to a question of this name: its slug, tidy and plain. */
export function slugsOf(name: string): string[] {
  const plain = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '_');
  return [...new Set([plain.replaceAll(/_+/g, '_').replaceAll(/^_|_$/g, ''), plain])].filter((slug) => slug !== '');
}
