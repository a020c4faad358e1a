const PLAIN = /^[\w !#$%&'*+/=?^`{|}~-]*$/;
const LONGEST_WORD = 45; // bytes of UTF-8 that fit an encoded word (RFC 2047 2)

/** A mailbox as it stands in a header, its name encoded where it is not plain ASCII (RFC 2047). */
export function mailboxHeader(name: string | null, address: string): string {
  if (name === null || name === '') return address;
  if (PLAIN.test(name)) return `"${name}" <${address}>`;
  return `${encodedWords(name).join(' ')} <${address}>`;
}

function encodedWords(text: string): string[] {
  const words: string[] = [];
  let part = '';
  for (const char of text) {
    if (Buffer.byteLength(part + char) > LONGEST_WORD) {
      words.push(part);
      part = '';
    }
    part += char;
  }
  return [...words, part].map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`);
}
