import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMimeParser } from './large-mime.ts';

/** A message of so many bytes, as it comes in: in pieces that can be given away. */
function message(subject: string, bytes: number): Buffer<ArrayBuffer>[] {
  const head = Buffer.from(`Subject: ${subject}\r\n\r\n`);
  const whole = Buffer.concat([head, Buffer.alloc(bytes - head.length, 'Hello\r\n')]);
  const pieces: Buffer<ArrayBuffer>[] = [];
  for (let at = 0; at < whole.length; at += 100_000) {
    const part = whole.subarray(at, at + 100_000);
    const piece = Buffer.allocUnsafeSlow(part.length);
    part.copy(piece);
    pieces.push(piece);
  }
  return pieces;
}

test('what is less large goes by what waits for the thread, and what is small waits for nobody', async (t) => {
  const parser = createMimeParser();
  t.after(() => parser.stop());
  const order: string[] = [];
  await Promise.all(
    [
      ['first', 4_000_000],
      ['second', 4_000_001],
      ['third', 4_000_002],
      ['less', 300_000],
      ['small', 200_000],
    ].map(async ([name, bytes]) => {
      const { headers, text } = await parser.parse(message(name as string, bytes as number));
      assert.equal(headers[0]?.value, name);
      assert.match(text ?? '', /^Hello\r\nHello/);
      order.push(name as string);
    }),
  );
  assert.deepEqual(order, ['small', 'first', 'less', 'second', 'third']);
});
