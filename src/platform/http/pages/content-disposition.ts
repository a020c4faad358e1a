const LONGEST = 120;
/** Path separators, quotes, what Windows refuses, control, format (bidi among them) and private signs, lone halves. */
const UNSAFE = /[/\\"'`<>:|?*%;\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;
/** RFC 5987 3.2.1 attr-char; encodeURIComponent leaves these four unencoded as well. */
const NOT_ATTR = /['()*]/g;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A `Content-Disposition` that saves the reply under this name (RFC 6266): plain ASCII for old clients, UTF-8 beside it.
 * Whatever the name holds, the header is one printable line and the name no path.
 */
export function contentDisposition(name: string, fallback: string): string {
  const safe = safeFileName(name) || safeFileName(fallback) || 'download';
  const ascii = asciiName(safe) || asciiName(safeFileName(fallback)) || 'download';
  const encoded = encodeURIComponent(safe).replace(NOT_ATTR, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** A name without anything that a path, a shell or a header is made of; empty where nothing is left. */
export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[. _]+/, '');
  const short = cut(plain).replace(/[. ]+$/, '');
  return DEVICE.test(short) ? `_${short}` : short;
}

/** Some signs are dots, slashes or the name of a device only once they are taken apart. */
function asciiName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}+/gu, '');
  const ascii = plain.replace(/[^ -~]+/g, '_');
  return /[a-z0-9]/i.test(ascii.replace(/\.[^.]*$/, '')) ? safeFileName(ascii) : '';
}

/** A long name loses its middle, not its extension. */
function cut(name: string): string {
  const signs = Array.from(name);
  if (signs.length <= LONGEST) return name;
  const extension = /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? '';
  return signs.slice(0, LONGEST - extension.length).join('') + extension;
}
