import { DEEPEST_NESTING, LONGEST_MUSTACHE, LONGEST_SOURCE, MOST_NODES } from './bounds.ts';
import { positionOf, TemplateMistake } from './mistake.ts';

const COMMENT = /\{\{~?!/y;
const LONG_COMMENT = /\{\{~?!--/y;
const END_OF_LONG_COMMENT = /--~?\}\}/g;
const OPENS = /\{\{~?(#|\^(?!\s*~?\}\}))/y;
const CHAINS = /\{\{~?\s*else\b(?!\s*~?\}\})/y;
const CLOSES = /\{\{~?\//y;
const CLOSING_QUOTES: Record<string, string> = { '"': '"', "'": "'", '[': ']' };

interface OpenBlock {
  offset: number;
  levels: number;
}

/** Where a mustache begins and ends. */
export interface Span {
  from: number;
  to: number;
}

/**
 * Finds the mustaches and refuses what is too long, too deep or has too many parts before the parser sees it. The parser needs time
 * that grows with the square of the depth, so the same mustaches are found here in one pass.
 */
export function findMustaches(source: string): Span[] {
  if (source.length > LONGEST_SOURCE || Buffer.byteLength(source) > LONGEST_SOURCE) {
    throw new TemplateMistake({ line: 1, column: 1 }, `a template may have at most ${LONGEST_SOURCE} bytes`);
  }
  const nul = source.indexOf('\0');
  if (nul >= 0) refuse(source, nul, 'the character U+0000 is not allowed');
  const found: Span[] = [];
  const open: OpenBlock[] = [];
  let depth = 0;
  let nodes = 0;
  for (let from = 0; from < source.length; ) {
    const at = source.indexOf('{{', from);
    nodes += at > from ? 2 : 1;
    if (nodes > MOST_NODES) refuse(source, from, `a template may have at most ${MOST_NODES} parts`);
    if (at < 0) break;
    if (isEscaped(source, from, at)) {
      from = at + 2;
      continue;
    }
    if (startsWith(OPENS, source, at)) {
      open.push({ offset: at, levels: 1 });
      depth += 1;
    } else if (startsWith(CHAINS, source, at)) {
      const block = open.at(-1) ?? refuse(source, at, 'else stands outside a block');
      block.levels += 1;
      depth += 1;
    } else if (startsWith(CLOSES, source, at)) {
      const block = open.pop() ?? refuse(source, at, 'this closes a block that was not opened');
      depth -= block.levels;
    }
    if (depth > DEEPEST_NESTING) refuse(source, at, `blocks may be nested at most ${DEEPEST_NESTING} deep`);
    from = endOfMustache(source, at);
    found.push({ from: at, to: from });
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) refuse(source, unclosed.offset, 'this block is not closed');
  return found;
}

/** One backslash before a mustache makes it text; two are a backslash and a mustache. */
function isEscaped(source: string, from: number, at: number): boolean {
  const before = source.slice(Math.max(from, at - 2), at);
  return before.endsWith('\\') && before !== '\\\\';
}

function endOfMustache(source: string, at: number): number {
  if (startsWith(LONG_COMMENT, source, at)) {
    END_OF_LONG_COMMENT.lastIndex = at + 3;
    if (END_OF_LONG_COMMENT.test(source)) return END_OF_LONG_COMMENT.lastIndex;
    return refuse(source, at, 'this comment is not closed');
  }
  if (startsWith(COMMENT, source, at)) {
    const end = source.indexOf('}}', at + 3);
    return end < 0 ? refuse(source, at, 'this comment is not closed') : end + 2;
  }
  if (source.startsWith('{{{{', at)) refuse(source, at, 'raw blocks are not supported');
  let until = '';
  for (let i = at + 2; i < Math.min(source.length, at + LONGEST_MUSTACHE - 1); i += 1) {
    const char = source.charAt(i);
    if (char === '\\') refuse(source, i, 'a backslash is not allowed inside a mustache');
    if (until !== '') until = char === until ? '' : until;
    else if (char in CLOSING_QUOTES) until = CLOSING_QUOTES[char] as string;
    else if (source.startsWith('}}', i)) return i + (source.startsWith('}}}', i) ? 3 : 2);
  }
  return refuse(source, at, `a mustache must be closed within ${LONGEST_MUSTACHE} characters`);
}

function startsWith(pattern: RegExp, source: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(source);
}

function refuse(source: string, offset: number, rule: string): never {
  throw new TemplateMistake(positionOf(source, offset), rule);
}
