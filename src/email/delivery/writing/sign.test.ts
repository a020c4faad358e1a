import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { createSigner } from './sign.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const published: Record<string, string> = {
  's1._domainkey.clinic.test': `v=DKIM1; k=rsa; p=${derOf(rsa.publicKey).toString('base64')}`,
  's2._domainkey.clinic.test': `v=DKIM1; k=ed25519; p=${derOf(ed25519.publicKey).subarray(-32).toString('base64')}`,
};
const { sign } = createSigner(
  { domain: 'clinic.test', selector: 's1', privateKey: rsa.privateKey },
  { domain: 'clinic.test', selector: 's2', privateKey: ed25519.privateKey },
);

function derOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

const HEADERS = [
  'From: "Clinic" <news@clinic.test>',
  'To: ann@x.test',
  'Cc: ben@x.test',
  'Subject: News\r\n \t of   the week ',
  'Date: Sun, 15 Nov 2026 12:00:00 +0000',
  'Message-ID: <1@clinic.test>',
  'Reply-To: a@clinic.test',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  'In-Reply-To: <0@x.test>',
  'References: <0@x.test>',
  'List-Id: <news.clinic.test>',
  'List-Help: <https://clinic.test/h>',
  'List-Owner: <mailto:a@clinic.test>',
  'List-Post: NO',
  'List-Archive: <https://clinic.test/a>',
  'List-Subscribe: <https://clinic.test/s>',
  'List-Unsubscribe: <https://clinic.test/u>',
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  'X-Other: not signed',
];
const asText = (headers: readonly string[]) => headers.map((header) => `${header}\r\n`).join('');

async function resolver(name: string): Promise<string[][]> {
  return [[published[name] ?? assert.fail(name)]];
}

/** What both signatures come to, which is the same. */
async function verdict(signature: string, headers: string, body: string | Buffer): Promise<string> {
  const message = Buffer.concat([Buffer.from(`${signature}${headers}\r\n`), Buffer.from(body)]);
  const { results } = await dkimVerify(message, { resolver });
  assert.equal(results.length, 2);
  assert.equal(results[0]?.status.result, results[1]?.status.result);
  return results[0]?.status.result ?? 'none';
}

test('a signed message is verified, whatever its headers are folded like', async () => {
  const headers = asText(HEADERS);
  const signature = await sign(headers, Buffer.from('Hello\r\n'));
  assert.equal(await verdict(signature, headers, 'Hello\r\n'), 'pass');
  assert.equal(await verdict(signature, headers.replace('\r\n \t of   the', ' of\r\n\tthe'), 'Hello\r\n'), 'pass');
  assert.equal(await verdict(signature, headers.replace('not signed', 'changed'), 'Hello\r\n\r\n\r\n'), 'pass');
  for (const line of signature.split('\r\n')) assert.ok(line.length <= 78, line);
  assert.ok(signature.endsWith('\r\n') && !signature.endsWith('\r\n\r\n'));
});

test('a change of any signed header or of the body is noticed, and so is one more From', async () => {
  const headers = asText(HEADERS);
  const signature = await sign(headers, Buffer.from('Hello\r\n'));
  for (const [i, header] of HEADERS.slice(0, -1).entries()) {
    const changed = asText(HEADERS.with(i, `${header.trimEnd()}x`));
    assert.equal(await verdict(signature, changed, 'Hello\r\n'), 'fail', header);
    assert.equal(await verdict(signature, asText(HEADERS.toSpliced(i, 1)), 'Hello\r\n'), 'fail', header);
  }
  for (const body of ['hello\r\n', 'Hello \r\n', 'Hello\r\n\r\nx\r\n', '']) {
    assert.notEqual(await verdict(signature, headers, body), 'pass', body);
  }
  assert.equal(await verdict(signature, `From: other@x.test\r\n${headers}`, 'Hello\r\n'), 'fail');
  assert.equal(await verdict(signature, `${headers}From: other@x.test\r\n`, 'Hello\r\n'), 'fail');
});

test('a message is signed without the headers it has not got', async () => {
  const headers = asText(HEADERS.slice(0, 2));
  const signature = await sign(headers, Buffer.alloc(0));
  assert.equal(signature.match(/\sh=from:from:to;/g)?.length, 2);
  assert.match(signature, /a=rsa-sha256;[^]*a=ed25519-sha256;/);
  assert.equal(await verdict(signature, headers, ''), 'pass');
});

const anyWord = fc.string({
  unit: fc.constantFrom('a', 'B', ':', ';', '=', '"', '<', '@', '.', 'é', '✓'),
  minLength: 1,
});
const anyGap = fc.constantFrom(' ', '  ', '\t', '\r\n ', '\r\n\t  ', ' \r\n ');
const anyValue = fc
  .array(fc.tuple(anyGap, anyWord), { minLength: 1, maxLength: 12 })
  .map((words) => words.flat().join(''));
const anyHeaders = fc
  .uniqueArray(fc.constantFrom('To', 'SUBJECT', 'date', 'Message-ID', 'Reply-To', 'Content-Type', 'X-A'), {
    maxLength: 6,
  })
  .chain((names) => fc.tuple(...names.map((name) => anyValue.map((value) => `${name}:${value}`))))
  .map((headers) => ['From: a@clinic.test', ...headers]);
const anyBody = fc
  .array(fc.constantFrom('', ' ', 'a', '.', '=', 'é ', '\t', '--b'), { maxLength: 8 })
  .chain((lines) => fc.constantFrom(lines.join('\r\n'), `${lines.join('\r\n')}\r\n`, `${lines.join('\r\n')}\r\n\r\n`));

test('any headers and any body are signed as they are', async () => {
  await fc.assert(
    fc.asyncProperty(anyHeaders, anyBody, async (lines, body) => {
      const headers = asText(lines);
      assert.equal(await verdict(await sign(headers, Buffer.from(body)), headers, body), 'pass');
    }),
    { numRuns: 150 },
  );
});

test('without keys nothing is signed', async () => {
  assert.equal(await createSigner().sign(asText(HEADERS), Buffer.from('Hello')), '');
});
