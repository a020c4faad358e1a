const LONGEST_VALUE = 200;
const PROPERTY =
  /^(color|background(-color)?|font(-(family|size|style|weight|variant))?|line-height|letter-spacing|text-(align|decoration|indent|transform)|white-space|word-break|overflow-wrap|vertical-align|direction|display|(max-|min-)?(width|height)|(margin|padding)(-(top|right|bottom|left))?|border(-(top|right|bottom|left))?(-(color|style|width|radius))?|border-(collapse|spacing)|list-style(-type)?|table-layout)$/;
// Words, numbers and colours. No url(), no var(), no escapes, no comments, and nothing below zero: all of it stays in its place.
const VALUE = /^(?:[\w\s.,#%!-]|(?:rgb|hsl)a?\([\d\s.,%]+\))+$/i;
const BELOW_ZERO = /(^|[\s,])-/;

/** The declarations of a style attribute that only change how a text looks. */
export function safeStyle(style: string): string {
  return style
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':');
      const property = declaration.slice(0, colon).trim().toLowerCase();
      const value = declaration
        .slice(colon + 1)
        .replace(/["']/g, '')
        .trim();
      return colon > 0 && PROPERTY.test(property) && isSafe(value) ? [`${property}:${value}`] : [];
    })
    .join(';');
}

function isSafe(value: string): boolean {
  return value.length <= LONGEST_VALUE && VALUE.test(value) && !BELOW_ZERO.test(value);
}
