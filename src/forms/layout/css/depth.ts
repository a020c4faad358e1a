import { tokenize, tokenTypes } from 'css-tree';

const DEEPEST = 20;
const OPENING = new Set([
  tokenTypes.Function,
  tokenTypes.LeftParenthesis,
  tokenTypes.LeftSquareBracket,
  tokenTypes.LeftCurlyBracket,
]);
const CLOSING = new Set([tokenTypes.RightParenthesis, tokenTypes.RightSquareBracket, tokenTypes.RightCurlyBracket]);

/** Whether brackets stand in each other so deep that reading them would take too long. */
export function isNestedTooDeep(css: string): boolean {
  let depth = 0;
  let deepest = 0;
  tokenize(css, (type) => {
    if (OPENING.has(type)) depth += 1;
    if (CLOSING.has(type)) depth -= 1;
    deepest = Math.max(deepest, depth);
  });
  return deepest > DEEPEST;
}
