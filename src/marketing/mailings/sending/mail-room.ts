const HEAD_BYTES = 16 * 1024;
const END = '.\r\n';

/**
 * Room in which one mail after the other is written: at 50 KB a mail, buffers of their own would be most of the memory
 * that a campaign takes. The head is written last, right before the body, as it holds the signature of it.
 */
export class MailRoom {
  #bytes = Buffer.allocUnsafeSlow(HEAD_BYTES + 64 * 1024);
  #bodyBytes = 0;

  /** Writes a body of ASCII and answers where it stands. */
  writeBody(body: string): Buffer {
    const needed = HEAD_BYTES + body.length + END.length;
    if (needed > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(Math.ceil(needed * 1.25));
    this.#bodyBytes = this.#bytes.write(body, HEAD_BYTES, 'latin1');
    return this.#bytes.subarray(HEAD_BYTES, HEAD_BYTES + this.#bodyBytes);
  }

  /** Writes the head of the body that stands there, and answers the whole as DATA carries it. */
  writeHead(head: string): Buffer {
    const bytes = Buffer.byteLength(head);
    const bodyEnd = HEAD_BYTES + this.#bodyBytes;
    const endsAt = bodyEnd + this.#bytes.write(END, bodyEnd, 'latin1');
    if (bytes > HEAD_BYTES) return Buffer.concat([Buffer.from(head), this.#bytes.subarray(HEAD_BYTES, endsAt)]);
    this.#bytes.write(head, HEAD_BYTES - bytes);
    return this.#bytes.subarray(HEAD_BYTES - bytes, endsAt);
  }
}
