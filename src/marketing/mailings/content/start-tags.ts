import { readTokens } from '../../../email/index.ts';

interface Attribute {
  /** Where it stands in the source, name and value. */
  start: number;
  end: number;
  /** As it is written, without the quotes. */
  value: string;
  valueStart: number;
}

/** A start tag of HTML and where it stands in the source. */
export interface StartTag {
  name: string;
  nameEnd: number;
  /** Behind its last character. */
  end: number;
  /** Whether it ends like `<br/>`, which closes an element in XML only. */
  closesItself: boolean;
  /** By name; of several with one name the first counts, as in browsers. */
  attributes: Map<string, Attribute>;
}

/** An end tag of HTML and where it begins. */
export interface EndTag {
  name: string;
  start: number;
}

/** The tags of HTML, in the order of the source. */
export interface Tags {
  startTags: StartTag[];
  endTags: EndTag[];
}

/** The start tags of HTML, in the order of the source. */
export function findStartTags(html: string): StartTag[] {
  return findTags(html).startTags;
}

/** Finds the tags of HTML. */
export function findTags(html: string): Tags {
  const startTags: StartTag[] = [];
  const endTags: EndTag[] = [];
  let tag = newTag('', 0);
  let name = '';
  let start = 0;
  let value: { from: number; to: number } | null = null;
  const widen = (from: number, to: number) => {
    value = { from: value?.from ?? from, to };
  };
  const close = (closesItself: boolean) => (end: number) => {
    tag.end = end + 1;
    tag.closesItself = closesItself;
    startTags.push(tag);
  };
  readTokens(html, {
    onopentagname: (from, to) => {
      tag = newTag(html.slice(from, to).toLowerCase(), to);
    },
    onattribname: (from, to) => {
      name = html.slice(from, to).toLowerCase();
      start = from;
      value = null;
    },
    onattribdata: widen,
    onattribend: (_quote, end) => {
      const { from, to } = value ?? { from: end, to: end };
      if (!tag.attributes.has(name)) {
        tag.attributes.set(name, { start, end, value: html.slice(from, to), valueStart: from });
      }
    },
    onopentagend: close(false),
    onselfclosingtag: close(true),
    onclosetag: (from, to) => endTags.push({ name: html.slice(from, to).toLowerCase(), start: from - 2 }),
  });
  return { startTags, endTags };
}

function newTag(name: string, nameEnd: number): StartTag {
  return { name, nameEnd, end: nameEnd, closesItself: false, attributes: new Map() };
}
