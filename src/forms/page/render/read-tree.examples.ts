import { Parser } from 'htmlparser2';

/** An element as a browser would find it, for tests. */
export interface Found {
  tag: string;
  given: Record<string, string>;
  inside: (Found | string)[];
  around: Found | null;
}

/** Reads HTML into a tree. */
export function readTree(html: string): Found {
  const root: Found = { tag: '', given: {}, inside: [], around: null };
  let at = root;
  const parser = new Parser({
    onopentag: (tag, given) => {
      const found = { tag, given, inside: [], around: at };
      at.inside.push(found);
      at = found;
    },
    ontext: (text) => at.inside.push(text),
    onclosetag: () => {
      at = at.around ?? root;
    },
  });
  parser.write(html);
  parser.end();
  return root;
}

/** Every element in one that is wanted. */
export function all(found: Found, isWanted: (each: Found) => boolean): Found[] {
  const inside = found.inside.flatMap((each) => (typeof each === 'string' ? [] : all(each, isWanted)));
  return isWanted(found) ? [found, ...inside] : inside;
}

/** The text in an element. */
export function textIn(found: Found): string {
  return found.inside.map((each) => (typeof each === 'string' ? each : textIn(each))).join('');
}

/** Elements and names of attributes, without any text or value. */
export function outline({ tag, given, inside }: Found): string {
  const parts = inside.map((each) => (typeof each === 'string' ? '' : outline(each)));
  return `<${tag} ${Object.keys(given).join(' ')}>${parts.join('')}</>`;
}

/** The nearest element around one that is wanted. */
export function nearest(found: Found, isWanted: (each: Found) => boolean): Found | null {
  if (isWanted(found)) return found;
  return found.around === null ? null : nearest(found.around, isWanted);
}

/** The elements with a name. */
export function named(tree: Found, name: string): Found[] {
  return all(tree, ({ given }) => given['name'] === name);
}

export function byId(tree: Found, id: string): Found | undefined {
  return all(tree, ({ given }) => given['id'] === id)[0];
}
