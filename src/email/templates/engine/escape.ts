import type { Place, UrlPart } from './tree.ts';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
  '\0': '\ufffd',
};
const SCHEMES = new Set(['http', 'https', 'mailto', 'tel']);
const NOT_FOR_HEADERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const NOT_FOR_PATHS = /[^\w\-.~/:@!$&'()*+,;=%]/gu;

/** Writes a value so that it stays what it is in its place. */
export function escapeFor(place: Place, value: string): string {
  if (place.at === 'header') return asHeaderText(value);
  if (place.at === 'plain') return value;
  if (!('url' in place)) return escapeHtml(value);
  const written = escapeHtml(place.url === null ? value : asUrlPart(place.url, value));
  if (place.at === 'quoted') return written;
  // Without a value, the next attribute would be taken for it.
  if (written === '' && place.first) return '&#32;';
  return written.replace(/[\s\u0000-\u001f]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Text that stays on the one line of a header. */
export function asHeaderText(text: string): string {
  return text.replace(NOT_FOR_HEADERS, ' ');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`=\0]/g, (char) => ENTITIES[char] as string);
}

function asUrlPart(part: UrlPart, value: string): string {
  const text = value.toWellFormed();
  if (part === 'start') return asBeginningOfUrl(text);
  if (part === 'query') return encodeURIComponent(text);
  const path = text.replace(NOT_FOR_PATHS, encodeURIComponent);
  return part === 'continued' ? path.replaceAll(':', '%3A') : path;
}

/** Browsers ignore controls and spaces where a scheme is read, so they are left out before it is judged. */
function asBeginningOfUrl(text: string): string {
  const bare = text.replace(/[\u0000-\u0020\u007f-\u00a0]/g, '');
  const scheme = /^([^/?#\\:]*):/.exec(bare)?.[1];
  if (scheme !== undefined) return SCHEMES.has(scheme.toLowerCase()) ? withoutControls(text) : '#';
  // What follows in the template must not turn a bare word into a scheme.
  return /^[a-z][a-z0-9+.-]*$/i.test(bare) ? `./${withoutControls(text)}` : withoutControls(text);
}

function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').trim();
}
