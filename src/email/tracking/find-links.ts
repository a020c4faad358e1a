import { readTokens } from './read-tokens.ts';

/** A link in HTML: where its attribute stands in the source, name and value, and where it leads. */
export interface FoundLink {
  start: number;
  end: number;
  target: string;
}

/** A longer one is left as it is: it takes long to read, and browsers do not follow it everywhere either. */
const LONGEST_TARGET = 2_048;
const LINKING = new Set(['a', 'area']);

/** The http and https links of HTML, in the order of the source. */
export function findLinks(html: string): FoundLink[] {
  const links: FoundLink[] = [];
  let tag = '';
  let attribute = '';
  let start = 0;
  let value = '';
  readTokens(
    html,
    {
      onopentagname: (from, to) => {
        tag = html.slice(from, to).toLowerCase();
      },
      onattribname: (from, to) => {
        attribute = html.slice(from, to).toLowerCase();
        start = from;
        value = '';
      },
      onattribdata: (from, to) => {
        value += html.slice(from, to);
      },
      onattribentity: (codepoint) => {
        value += String.fromCodePoint(codepoint);
      },
      onattribend: (_quote, end) => {
        if (attribute !== 'href' || !LINKING.has(tag)) return;
        const target = readTarget(value);
        if (target !== null) links.push({ start, end, target });
      },
    },
    { decodeEntities: true },
  );
  return links;
}

/** The target of a link that leads out, as browsers read it; null for anchors, mail and anything else. */
function readTarget(value: string): string | null {
  const given = value.trim();
  const url = given.length > LONGEST_TARGET ? null : URL.parse(given);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
