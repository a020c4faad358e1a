import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textPart } from './text-part.ts';

async function written(type: 'plain' | 'html', text: string) {
  const { headers, content } = await textPart(type, text);
  const [, encoding] = /^Content-Transfer-Encoding: (.*)\r$/m.exec(headers) ?? [];
  return { encoding, bytes: Buffer.concat(content.map((piece) => Buffer.from(piece))).toString() };
}

test('a text that is sent as base64 ends its lines in CRLF too, however they ended', async () => {
  for (const type of ['plain', 'html'] as const) {
    for (const end of ['\n', '\r', '\r\n']) {
      const { encoding, bytes } = await written(type, ['予約の確認', '', '明日の朝', ''].join(end));
      assert.equal(encoding, 'base64');
      assert.equal(Buffer.from(bytes, 'base64').toString(), '予約の確認\r\n\r\n明日の朝\r\n');
    }
  }
});

test('a text of one line gets no line end in base64', async () => {
  const { encoding, bytes } = await written('plain', '予約の確認');
  assert.deepEqual([encoding, Buffer.from(bytes, 'base64').toString()], ['base64', '予約の確認']);
});
