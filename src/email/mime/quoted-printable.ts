const SOFT_BREAK = '=\r\n';
const LONGEST_LINE = 76 - 1; // RFC 2045 6.7 (5), and one for the `=` of a soft break
const SIMPLE = /^(?!\.)[\t -<>-~]{1,75}$/;
// So many at once that the engine of expressions never runs out of its stack.
const SIMPLE_LINES = /(?:(?!\.)[\t -<>-~]{0,76}(?<![\t ])\r\n){1,64}/y;
const LINE = /([^\r\n]*)(\r\n|\r|\n|$)/y;
const NOT_PLAIN = /[^\t -<>-~]/g;

/**
 * Writes a piece of text as quoted-printable (RFC 2045 6.7). Every piece begins and ends at the beginning of a line, so
 * that pieces can be written one after the other. No line begins with a dot, which SMTP would double.
 */
export function encodePiece(text: string): string {
  if (SIMPLE.test(text)) return text + SOFT_BREAK;
  if (text === '') return '';
  let encoded = '';
  for (let at = 0; at < text.length; ) {
    const simple = matchAt(SIMPLE_LINES, text, at);
    if (simple !== null) {
      encoded += simple[0];
      at += simple[0].length;
      continue;
    }
    const [whole, line, end] = matchAt(LINE, text, at) as unknown as [string, string, string];
    encoded += end === '' ? wrap(encodeBytes(line)) + SOFT_BREAK : `${wrap(withoutSpaceAtEnd(encodeBytes(line)))}\r\n`;
    at += whole.length;
  }
  return encoded;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function encodeBytes(line: string): string {
  return Buffer.from(line).toString('latin1').replace(NOT_PLAIN, asHex);
}

/** RFC 2045 6.7 (3): a space or tab cannot be the last of a line. */
function withoutSpaceAtEnd(line: string): string {
  return line.replace(/[ \t]$/, asHex);
}

/** Breaks an encoded line where it is too long, never inside an encoded byte. */
function wrap(line: string): string {
  let wrapped = '';
  for (let at = 0; at < line.length; ) {
    const beginning = line[at] === '.' ? '=2E' : '';
    let end = at + LONGEST_LINE - (beginning === '' ? 0 : beginning.length - 1);
    if (end < line.length) end -= line[end - 1] === '=' ? 1 : line[end - 2] === '=' ? 2 : 0;
    wrapped += beginning + line.slice(beginning === '' ? at : at + 1, end) + (end < line.length ? SOFT_BREAK : '');
    at = end;
  }
  return wrapped;
}

function asHex(char: string): string {
  return `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
