const BARE = /\r(?!\n)|(?<!\r)\n/;

/**
 * Ends every line of a message with CRLF and nothing else (RFC 5321 2.3.8). Text comes from callers with any line ends, and a
 * bare one before a dot is where another server may see the end of a message that goes on.
 */
export function withWholeLineEnds(mime: Buffer): Buffer {
  const text = mime.toString('latin1');
  return BARE.test(text) ? Buffer.from(text.replace(/\r\n|\r|\n/g, '\r\n'), 'latin1') : mime;
}
