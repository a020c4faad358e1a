import { mainPart } from './words-of.ts';

const MOST_WISHES = 20;

/**
 * The language of a form that a visitor gets: the one they asked for, else the first that their browser prefers, else
 * the form's own, which stands first.
 */
export function pickLanguage(
  available: readonly string[],
  acceptLanguage: string | undefined,
  wanted: string | undefined,
): string {
  const wishes = [...(wanted === undefined ? [] : [wanted]), ...preferred(acceptLanguage ?? '')];
  for (const wish of wishes) {
    const found = bestOf(available, wish);
    if (found !== undefined) return found;
  }
  return available[0] ?? 'en';
}

function bestOf(available: readonly string[], wish: string): string | undefined {
  const exact = available.find((tag) => tag.toLowerCase() === wish.toLowerCase());
  return exact ?? available.find((tag) => mainPart(tag) === mainPart(wish));
}

/** The tags of an Accept-Language header (RFC 9110, 12.5.4), the dearest first. */
function preferred(header: string): string[] {
  const ranges = header.split(',', MOST_WISHES).map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
    return { tag, weight: weight === undefined ? 1 : Number(weight) };
  });
  const wished = ranges.filter(({ tag, weight }) => /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i.test(tag) && weight > 0);
  return wished.toSorted((one, other) => other.weight - one.weight).map(({ tag }) => tag);
}
