import { escapeHtml } from '../../platform/http/pages/plain-page.ts';
import { ownName } from './own-name.ts';
import type { Styles } from './style-class.ts';

const LARGEST_PICTURE = 512 * 1024;
const LONGEST_LIST = 1_000;
const LINK = /^(https:\/\/|mailto:|tel:)[^\s\\]+$/i;
const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/]+={0,2}$/i;
const SIZE = /^\d{1,4}%?$/;

type Attributes = Readonly<Record<string, string>>;

/** What a value of a plain attribute looks like. */
const PLAIN = Object.entries({
  title: /^[^]{0,500}$/,
  dir: /^(ltr|rtl|auto)$/i,
  lang: /^[a-z0-9-]{1,35}$/i,
  align: /^(left|right|center|justify)$/i,
  valign: /^(top|middle|bottom|baseline)$/i,
  width: SIZE,
  height: SIZE,
  border: SIZE,
  cellpadding: SIZE,
  cellspacing: SIZE,
  bgcolor: /^#?[a-z0-9]{1,20}$/i,
  colspan: /^\d{1,3}$/,
  rowspan: /^\d{1,3}$/,
  span: /^\d{1,3}$/,
  scope: /^(row|col|rowgroup|colgroup)$/i,
  start: /^-?\d{1,6}$/,
  type: /^[1aAiI]$/,
});

/** The attributes of an element that only change what it looks like or says, as they are written. */
export function attributesOf(name: string, attributes: Attributes, styles: Styles): string {
  const kept = PLAIN.flatMap(([key, form]) => {
    const value = attributes[key];
    return value !== undefined && form.test(value) ? [write(key, value)] : [];
  });
  return [idOf(attributes), classOf(attributes, styles), ...kept, linkOf(name, attributes)].join('');
}

/** A picture that comes along in the layout itself; null for any other. */
export function pictureOf({ src = '', alt = '' }: Attributes): string | null {
  const source = src.replace(/\s/g, '');
  if (source.length > LARGEST_PICTURE || !PICTURE.test(source)) return null;
  return write('src', source) + write('alt', alt);
}

function idOf({ id = '' }: Attributes): string {
  return /^[\w-]{1,100}$/.test(id) ? write('id', ownName(id)) : '';
}

function classOf(attributes: Attributes, styles: Styles): string {
  const classes = (attributes.class ?? '').split(/\s+/).filter((each) => each !== '');
  const style = styles.classes.get(attributes.style ?? '') ?? null;
  const all = [...new Set([...classes, ...(style === null ? [] : [style])])].join(' ');
  return all === '' || all.length > LONGEST_LIST ? '' : write('class', all);
}

function linkOf(name: string, { href = '' }: Attributes): string {
  const target = href.trim();
  if (name !== 'a' || !LINK.test(target)) return '';
  return `${write('href', target)} target="_blank" rel="noopener noreferrer nofollow"`;
}

function write(name: string, value: string): string {
  return ` ${name}="${escapeHtml(value)}"`;
}
