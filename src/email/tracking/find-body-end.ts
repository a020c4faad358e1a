import { readTokens } from './read-tokens.ts';

/** Where the last end tag of a body begins; null where HTML has none but in comments, scripts and the like. */
export function findBodyEnd(html: string): number | null {
  if (!/<\/body/i.test(html)) return null; // many have none, and need no reading
  let found: number | null = null;
  readTokens(html, {
    onclosetag: (from, to) => {
      if (/^body$/i.test(html.slice(from, to))) found = from - '</'.length;
    },
  });
  return found;
}
