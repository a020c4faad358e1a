import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

/** Requests whose end two servers in a row could see in two places, with one more hidden behind it. */
function ambiguous(key: string): Record<string, string> {
  const post = (headers: string, body: string) =>
    `POST /v1/forms/api/forms HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
  const chunked = `0\r\n\r\n${SMUGGLED}`;
  const length = `Content-Length: ${chunked.length}`;
  return {
    'a length and chunks': post(`${length}\r\nTransfer-Encoding: chunked`, chunked),
    'chunks and a length': post(`Transfer-Encoding: chunked\r\n${length}`, chunked),
    'two lengths': post(`Content-Length: 0\r\nContent-Length: ${SMUGGLED.length}`, SMUGGLED),
    'two lengths in one': post(`Content-Length: 0, ${SMUGGLED.length}`, SMUGGLED),
    'a length with a sign': post('Content-Length: +0', SMUGGLED),
    'a length in hexadecimal': post('Content-Length: 0x0', SMUGGLED),
    'another coding': post(`Transfer-Encoding: xchunked\r\n${length}`, chunked),
    'chunked not last': post(`Transfer-Encoding: chunked, identity\r\n${length}`, chunked),
    'a blank before the colon': post(`Transfer-Encoding : chunked\r\n${length}`, chunked),
    'a folded line': post(
      `X: a\r\n Transfer-Encoding: chunked\r\n${length}\r\nTransfer-Encoding:\r\n chunked`,
      chunked,
    ),
    'a lone line feed': post(`X: a\nTransfer-Encoding: chunked\r\n${length}`, chunked),
    'a lone carriage return': post(`X: a\rTransfer-Encoding: chunked\r\n${length}`, chunked),
    'a NUL': post(`X: a\0\r\n${length}\r\nTransfer-Encoding: chunked`, chunked),
    'a size that is none': post('Transfer-Encoding: chunked', `0x0\r\n\r\n${SMUGGLED}`),
    'a size without an end': post('Transfer-Encoding: chunked', `0\n\n${SMUGGLED}`),
  };
}

function talk(port: number, text: string): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    let answer = '';
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(text));
    socket.setTimeout(10_000, () => socket.destroy(new Error('the connection stays open')));
    socket.on('data', (chunk) => (answer += chunk));
    socket.once('close', () => resolve(answer)).once('error', reject);
  });
}

test('a request whose length can be read in two ways is refused, and nothing behind it is answered', async (t) => {
  const app = await startApp(t);
  const { key } = await app.createCustomer();
  const port = Number(new URL(app.url).port);
  for (const [what, request] of Object.entries(ambiguous(key))) {
    const answer = await talk(port, request);
    assert.match(answer, /^HTTP\/1\.1 400 /, what);
    assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, what);
    assert.doesNotMatch(app.logged(), /smuggled/, what);
  }
});

test('what Node would refuse without a word is answered like everything else', async (t) => {
  const app = await startApp(t);
  const port = Number(new URL(app.url).port);
  const hostless = await talk(port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
  assert.match(hostless, /^HTTP\/1\.1 400 .*x-request-id: .*The header Host is missing/is);
  const expecting = await talk(port, 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nConnection: close\r\n\r\n');
  assert.match(expecting, /^HTTP\/1\.1 200 .*x-request-id: .*\{"status":"ok"\}/is);
  assert.match(await talk(port, 'GET /healthz HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
});
