const WANTED_LINE = 78; // RFC 5322 2.1.1
const LONGEST_LINE = 998;
const BYTES_A_WORD = 39; // with the name of the header in front, a line of at most 76 characters (RFC 2047 2)
const PLAIN = /^(?! )[ -~]*(?<! )$/;
const STRUCTURED = /^(list-.+|in-reply-to|references)$/i;
const IN_BRACKETS_OR_COMMA = /(<[^>]*>|, *)/;
const FOLDABLE = /^\S+(?: \S+)*$/;

/** A header whose value is well-formed already, folded, with its line end. */
export function headerLine(name: string, value: string): string {
  if (/[\r\n\0]/.test(value)) throw new Error(`the header ${name} cannot hold a line break`);
  const line = `${name}: ${value}`;
  return `${line.length <= WANTED_LINE ? line : fold(line)}\r\n`;
}

/** A header of free text, encoded where it needs to be (RFC 2047). */
export function textHeaderLine(name: string, text: string): string {
  const isShort = name.length + 2 + text.length <= WANTED_LINE;
  const isPlain = PLAIN.test(text) && !text.includes('=?') && (isShort || canFold(text));
  return headerLine(name, isPlain ? text : encodedWords(text));
}

/** A header as a sender gave it: encoded where it needs to be, and left as it is where the sender has done that. */
export function givenHeaderLine(name: string, value: string): string {
  if (isStructured(name)) return headerLine(name, structured(value));
  return isLeftAsGiven(name, value) ? headerLine(name, value) : textHeaderLine(name, value);
}

/** Whether what stands in a header means something to programs, so that it cannot be encoded as a whole. */
export function isStructured(name: string): boolean {
  return STRUCTURED.test(name);
}

/** A value with ids or addresses in angle brackets, of which only what stands around them becomes encoded words (RFC 2047 5). */
function structured(value: string): string {
  if (PLAIN.test(value)) return value;
  const parts = value.toWellFormed().replaceAll('\t', ' ').split(IN_BRACKETS_OR_COMMA);
  return parts.map(plainPart).join('').replace(/ {2,}/g, ' ').trim();
}

function plainPart(part: string): string {
  if (part.startsWith('<')) return part.replace(/[^!-~]+/g, encodeURIComponent);
  return /^[ -~]*$/.test(part) ? part : ` ${encodedWords(part.trim())} `;
}

/** Whether a header as a sender gave it can leave in lines that every server takes. */
export function canBeLines(name: string, value: string): boolean {
  if (name.length + ': '.length > LONGEST_LINE / 2) return false;
  if (isStructured(name)) return fitsLines(name, structured(value));
  // What is encoded has a line for each word.
  return !isLeftAsGiven(name, value) || fitsLines(name, value);
}

function isLeftAsGiven(name: string, value: string): boolean {
  return PLAIN.test(value) && value.includes('=?') && fitsLines(name, value);
}

function fitsLines(name: string, value: string): boolean {
  return fold(`${name}: ${value}`)
    .split('\r\n')
    .every((line) => line.length <= LONGEST_LINE);
}

/** Whether folding leaves the text as it is: no two spaces in a row, and no word longer than a line. */
function canFold(text: string): boolean {
  return FOLDABLE.test(text) && text.split(' ').every((word) => word.length < LONGEST_LINE / 2);
}

/** Breaks lines in front of spaces, which unfolding gives back (RFC 5322 2.2.3). */
function fold(line: string): string {
  const [first = '', ...words] = line.split(/(?<=\S) (?= *\S)/);
  // A line cannot end behind the name of the header.
  const lines = [words.length === 0 ? first : `${first} ${words.shift()}`];
  for (const word of words) {
    const joined = `${lines.at(-1)} ${word}`;
    if (joined.length <= WANTED_LINE) lines[lines.length - 1] = joined;
    else lines.push(` ${word}`);
  }
  return lines.join('\r\n');
}

/** Free text as encoded words, in any number of them (RFC 2047). */
export function encodedWords(text: string): string {
  const words: string[] = [];
  let bytes: Buffer[] = [];
  let length = 0;
  const close = () => {
    if (length > 0) words.push(`=?UTF-8?B?${Buffer.concat(bytes).toString('base64')}?=`);
    bytes = [];
    length = 0;
  };
  // Each word holds whole characters (RFC 2047 5).
  for (const char of text.toWellFormed()) {
    const encoded = Buffer.from(char);
    if (length + encoded.length > BYTES_A_WORD) close();
    bytes.push(encoded);
    length += encoded.length;
  }
  close();
  return words.join(' ');
}
