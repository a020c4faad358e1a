/** A picture above the questions. */
export interface Logo {
  src: string;
  alt: string;
}

/** The page takes no larger picture: so many bytes are 512 KB in an address. */
export const LARGEST_LOGO_BYTES = 390_000;
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

const BLOCK = /<p class="carepost-logo">.*?<\/p>\n?/s;
const PARTS = /<img[^>]*?src="([^"]*)"[^>]*?alt="([^"]*)"/s;

/** The picture that the builder put into a layout. */
export function logoIn(html: string): Logo | null {
  const [, src, alt = ''] = PARTS.exec(BLOCK.exec(html)?.[0] ?? '') ?? [];
  return src === undefined ? null : { src, alt: unescape(alt) };
}

/** The layout with another picture, or none. Everything else in it stays as it was written. */
export function withLogo(html: string, logo: Logo | null): string {
  const rest = html.replace(BLOCK, '');
  if (logo === null) return rest;
  const picture = `<img src="${logo.src}" alt="${escape(logo.alt)}" style="max-height: 6rem; max-width: 100%">`;
  return `<p class="carepost-logo">${picture}</p>\n${rest}`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescape(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
