import { type CssNode, find, type Value } from 'css-tree';
import { FUNCTIONS } from './properties.ts';

const HIGHEST = 1_000;
const LONGEST_STRING = 1_000;
const PARTS = new Set(['Value', 'Brackets', 'Hash', 'Number', 'Parentheses', 'Percentage', 'WhiteSpace']);
const NAME = /^[\w\u0080-\uFFFF-]+$/;
const OPERATOR = /^\s*[,/*+-]\s*$/;
/** What could end the style element, or is not seen. */
const ODD = /[<\0-\x1F\x7F]/;
const PLACES = new Set(['static', 'relative', 'absolute', 'inherit', 'initial', 'unset']);

/** Rules beyond those for every value; they read what is written only, so no var() is taken. */
const NARROW: Readonly<Record<string, (part: CssNode) => boolean>> = {
  position: (part) => part.type === 'Identifier' && PLACES.has(part.name.toLowerCase()),
  'z-index': (part) =>
    part.type === 'Number'
      ? Math.abs(Number(part.value)) <= HIGHEST
      : part.type === 'Identifier' && part.name === 'auto',
  content: (part) =>
    part.type === 'String' ||
    (part.type === 'Identifier' && !part.name.startsWith('--')) ||
    (part.type === 'Function' && /^counters?$/i.test(part.name)),
};

/** Whether a value computes, paints and places within the page, and loads nothing. */
export function isSafeValue(property: string, value: Value): boolean {
  if (find(value, (part) => !isSafePart(part)) !== null) return false;
  const narrow = NARROW[property];
  return narrow === undefined || value.children.toArray().every((part) => narrow(part));
}

function isSafePart(part: CssNode): boolean {
  if (part.type === 'Identifier') return NAME.test(part.name);
  if (part.type === 'Dimension') return NAME.test(part.unit);
  if (part.type === 'Function') return FUNCTIONS.has(part.name.toLowerCase());
  if (part.type === 'Operator') return OPERATOR.test(part.value);
  if (part.type === 'String') return part.value.length <= LONGEST_STRING && !ODD.test(part.value);
  return PARTS.has(part.type);
}
