import { Parser } from 'htmlparser2';
import { escapeHtml } from '../../platform/http/pages/plain-page.ts';
import { readTokens } from '../tracking/read-tokens.ts';
import { safeStyle } from './safe-style.ts';

/** What is written anew; of any other element the text stays. */
const KEPT = new Set(
  `a abbr address article b blockquote br caption center code col colgroup dd del div dl dt em figcaption figure font
  footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li ol p pre q s section small span strong sub sup table tbody td tfoot
  th thead tr u ul`.split(/\s+/),
);
const VOID = new Set(['br', 'col', 'hr']);
/** What is left out with everything in it. */
const SILENT = new Set(
  'applet audio canvas iframe math noembed noframes object script style svg template title video'.split(' '),
);
const LOOKS = new Set(
  `align bgcolor border cellpadding cellspacing color colspan dir height lang rowspan size start title type valign
  width`.split(/\s+/),
);
const LINK = /^(https?:\/\/|mailto:|tel:)/i;
/** The time that elements within elements take grows with the square of their depth. */
const DEEPEST = 500;
const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i;

export interface SafeHtml {
  html: string;
  /** Whether pictures of other servers were left out. */
  picturesLeftOut: boolean;
}

/**
 * Writes HTML anew from elements, attributes and styles that only show something: nothing runs, loads, navigates, asks
 * for anything or leaves its place. `pictureOf` says where a picture that came along is found. Of what is nested too deep the
 * words are left.
 */
export function safeHtml(html: string, pictureOf: (contentId: string) => string | null): SafeHtml {
  const written: string[] = [];
  const open: string[] = [];
  let silent = 0;
  let picturesLeftOut = false;

  function writePicture(attributes: Record<string, string>): void {
    const { src = '', alt = '' } = attributes;
    const source = sourceOf(src.trim(), pictureOf);
    if (source !== null)
      written.push(`<img src="${escapeHtml(source)}" alt="${escapeHtml(alt)}"${looksOf(attributes)}>`);
    else if (src.trim() !== '') picturesLeftOut = true;
    if (source === null) written.push(escapeHtml(alt));
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      open.push(name);
      if (open.length > DEEPEST) parser.pause();
      if (SILENT.has(name)) silent += 1;
      if (silent > 0) return;
      if (name === 'img') writePicture(attributes);
      else if (KEPT.has(name)) written.push(`<${name}${linkOf(name, attributes)}${looksOf(attributes)}>`);
    },
    ontext(text) {
      if (silent === 0) written.push(escapeHtml(text));
    },
    onclosetag(name) {
      if (open.at(-1) !== name) return; // it never opened: the text ended within its tag
      open.pop();
      if (silent === 0 && KEPT.has(name) && !VOID.has(name)) written.push(`</${name}>`);
      if (SILENT.has(name)) silent -= 1;
    },
  });
  parser.end(html);
  if (open.length > DEEPEST) return { html: escapeHtml(wordsOf(html)), picturesLeftOut: false };
  return { html: written.join(''), picturesLeftOut };
}

function wordsOf(html: string): string {
  const words: string[] = [];
  let element = '';
  const enter = (name: string) => {
    element = name;
    words.push(' ');
  };
  const say = (text: string) => {
    if (!SILENT.has(element)) words.push(text);
  };
  readTokens(
    html,
    {
      onopentagname: (from, to) => enter(html.slice(from, to).toLowerCase()),
      onclosetag: () => enter(''),
      ontext: (from, to) => say(html.slice(from, to)),
      ontextentity: (codePoint) => say(String.fromCodePoint(codePoint)),
    },
    { decodeEntities: true },
  );
  return words.join('');
}

function sourceOf(src: string, pictureOf: (contentId: string) => string | null): string | null {
  if (/^cid:/i.test(src)) return pictureOf(src.slice('cid:'.length));
  return PICTURE.test(src) ? src : null;
}

function linkOf(name: string, { href = '' }: Record<string, string>): string {
  const target = href.trim();
  if (name !== 'a' || !LINK.test(target)) return '';
  return ` href="${escapeHtml(target)}" target="_blank" rel="noopener noreferrer nofollow"`;
}

function looksOf(attributes: Record<string, string>): string {
  const looks = Object.entries(attributes).flatMap(([name, value]) =>
    LOOKS.has(name) ? [` ${name}="${escapeHtml(value)}"`] : [],
  );
  const style = safeStyle(attributes.style ?? '');
  return looks.join('') + (style === '' ? '' : ` style="${escapeHtml(style)}"`);
}
