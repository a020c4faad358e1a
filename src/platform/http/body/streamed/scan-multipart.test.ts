import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Busboy } from '@fastify/busboy';
import * as fc from 'fast-check';
import { AppError } from '../../../errors.ts';
import { BODY_LIMITS } from './limits.ts';
import { readMultipart, type UploadedFile } from './scan-multipart.ts';

const TYPE = 'multipart/form-data; boundary=xYzZy';

interface Part {
  headers: string[];
  content: Buffer;
}

function part(disposition: string, content: Buffer | string, ...more: string[]): Part {
  return { headers: [`Content-Disposition: form-data; ${disposition}`, ...more], content: Buffer.from(content) };
}

function write(parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--xYzZy\r\n${headers.join('\r\n')}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from('--xYzZy--\r\n')]);
}

async function* arrive(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield piece;
}

function cut(bytes: Buffer, places: number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

async function read(pieces: Iterable<Uint8Array>, limits = BODY_LIMITS, type = TYPE) {
  const files: (UploadedFile & { bytes: Buffer })[] = [];
  const body = await readMultipart(
    arrive(pieces),
    type,
    async (file, stream) => {
      files.push({ ...file, bytes: Buffer.concat(await Array.fromAsync(stream)) });
    },
    limits,
  );
  return { body, files };
}

const readParts = (...parts: Part[]) => read([write(parts)]);
const refused = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;
const invalid = refused('invalid_request');

/** The parts as @fastify/busboy finds them. */
function readWithBusboy(bytes: Buffer): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const found: unknown[] = [];
    const parser = new Busboy({ headers: { 'content-type': TYPE } });
    parser.on('field', (name, value) => found.push([name, value]));
    parser.on('file', (name, stream, fileName) => {
      const chunks: Buffer[] = [];
      const place = found.push(null) - 1;
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => (found[place] = [name, fileName, Buffer.concat(chunks).toString('hex')]));
    });
    parser.on('error', reject);
    parser.on('finish', () => resolve(found));
    parser.end(bytes);
  });
}

const scraps = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r', '\n', '\r\n', '--', '-', 'xYz', '\r\n--xYzZ', '--xYzZy', '\r\n-', '\r\n\r\n', '\0', 'é'),
      fc.string({ unit: 'binary-ascii', maxLength: 5 }),
    ),
    { maxLength: 12 },
  )
  .map((words) => Buffer.from(words.join('')))
  .filter((bytes) => !bytes.includes('\r\n--xYzZy') && !bytes.subarray(0, 7).equals(Buffer.from('--xYzZy')));

test('files and fields come back byte by byte in whatever pieces they arrive, and as busboy finds them', async () => {
  const parts = fc
    .array(fc.tuple(fc.boolean(), fc.nat({ max: 3 }), scraps), { maxLength: 6 })
    .map((list) => list.filter(([isFile, , content]) => isFile || !content.includes(0)))
    .filter((list) => list.length > 0);
  await fc.assert(
    fc.asyncProperty(parts, fc.array(fc.nat(), { maxLength: 12 }), async (list, places) => {
      const bytes = write(
        list.map(([isFile, name, content]) =>
          part(`name="n${name}"${isFile ? '; filename="f.bin"' : ''}`, content, 'X-Other: 1'),
        ),
      );
      const found = await readWithBusboy(bytes);
      for (const pieces of [cut(bytes, places), [...bytes].map((byte) => Buffer.of(byte))]) {
        const { body, files } = await read(pieces);
        const data = body.form_data as Record<string, string | string[]>;
        const inOrder: Record<string, string[]> = {};
        for (const [name, value, hex] of found as [string, string, string?][]) {
          if (hex === undefined) (inOrder[name] ??= []).push(value);
        }
        const lists = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, [value].flat()]));
        assert.deepEqual(lists, inOrder);
        assert.deepEqual(
          files.map(({ field, name, bytes: content }) => [field, name, content.toString('hex')]),
          (found as string[][]).filter((one) => one.length === 3),
        );
        assert.deepEqual(
          files.map(({ bytes: content }) => content),
          list.filter(([isFile]) => isFile).map(([, , content]) => content),
        );
      }
    }),
    { numRuns: 250 },
  );
});

test('a body that is cut off anywhere is refused, and so is what came of it so far', async () => {
  const bytes = write([
    part('name="form_data"', '{"a":1}', 'Content-Type: application/json'),
    part('name="x"; filename="x.bin"', Buffer.from([0, 13, 10, 45, 45, 120, 255]), 'Content-Type: image/png'),
    part('name="y"', 'text'),
  ]);
  const whole = bytes.length - 2; // nothing has to follow the last border
  for (let length = 0; length < whole; length += 1) {
    await assert.rejects(read([bytes.subarray(0, length)]), invalid, `cut at ${length}`);
    await assert.rejects(read([...bytes.subarray(0, length)].map((byte) => Buffer.of(byte))), invalid);
  }
  const { body, files } = await read([bytes.subarray(0, whole)]);
  assert.deepEqual(body, {
    form_data: { a: 1, y: 'text' },
    attachments: [{ name: 'x.bin', contentType: 'image/png', field: 'x', content: 0 }],
  });
  assert.equal(files[0]?.bytes.toString('hex'), '000d0a2d2d78ff');
});

test('a body with bytes changed is read or refused, and nothing is left hanging', async () => {
  const bytes = write([part('name="a"', '1'), part('name="x"; filename="x"', 'abc'), part('name="b"', '2')]);
  const edit = fc.tuple(fc.nat(), fc.constantFrom(0, 1), fc.constantFrom(...Buffer.from('\r\n-"; :x\0é')));
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      const changed = [...bytes];
      for (const [where, drop, byte] of edits) changed.splice(where % changed.length, drop, byte);
      await read([Buffer.from(changed)]).catch((error: unknown) => assert.ok(error instanceof AppError));
    }),
    { numRuns: 1_000 },
  );
});

test('fields are values, lists where a name is repeated, or the JSON of the submission', async () => {
  const { body } = await readParts(
    part('name="color"', 'red'),
    part('name="form_data"', '{"inner":{"attachments":[{"content":"kept"}]}}'),
    part('name="color"', 'grün'),
    part('name="signature"', '{"name":"A"}'),
    part('name="form_version"', '3', 'Content-Type: application/json; charset=utf-8'),
    part('name=bare', ''),
  );
  assert.deepEqual(body, {
    form_data: { inner: { attachments: [{ content: 'kept' }] }, color: ['red', 'grün'], bare: '' },
    signature: { name: 'A' },
    form_version: 3,
    attachments: [],
  });
  const json = 'Content-Type: application/json';
  const blobs = await readParts(
    part('name="form_data"; filename="blob"', '{"a":1}', json),
    part('name="signature"; filename="blob"', '{"name":"A"}', json),
    part('name="other"; filename="blob"', '{}', json),
    part('name="form_data"; filename="form.txt"', 'a file', 'Content-Type: text/plain'),
  );
  for (const type of ['X: y', 'Content-Type: text/plain', 'Content-Type: application/octet-stream']) {
    const untyped = await readParts(part('name="form_data"; filename="blob"', '{"a":1}', type));
    assert.deepEqual([untyped.body.form_data, untyped.files], [{ a: 1 }, []], type);
  }
  const picture = await readParts(part('name="form_data"; filename="a.png"', 'a file', 'Content-Type: image/png'));
  assert.deepEqual([picture.body.form_data, picture.files.length], [{}, 1]);
  assert.deepEqual([blobs.body.form_data, blobs.body.signature], [{ a: 1 }, { name: 'A' }]);
  assert.deepEqual(
    blobs.files.map(({ field, name }) => [field, name]),
    [
      ['other', 'blob'],
      ['form_data', 'form.txt'],
    ],
  );
  for (const text of ['Ann Lee', '', '"Ann"', 'true', '[1]']) {
    const { body: typed } = await readParts(part('name="signature"', text), part('name="a"', '1'));
    assert.deepEqual(typed, { form_data: { a: '1', signature: text }, attachments: [] }, text);
  }
  const { body: none } = await readParts(part('name="signature"', ' null '));
  assert.deepEqual(none, { form_data: {}, signature: null, attachments: [] });
  await assert.rejects(readParts(part('name="signature"', ' {name: "A"}')), refused('malformed_json'));
  await assert.rejects(read([Buffer.from('--xYzZy--')]), { message: 'form_data: is required' });
  for (const [text, code] of [
    ['{"a":1,"a":2}', 'invalid_request'],
    ['1,"x":2', 'malformed_json'],
    ['1,"attachments":[{"content":"QQ=="}]', 'malformed_json'],
    ['1}', 'malformed_json'],
    ['', 'malformed_json'],
    ['{"__proto__":1}', 'invalid_request'],
  ] as const) {
    await assert.rejects(readParts(part('name="form_data"', text)), refused(code), text);
  }
  for (const parts of [
    [part('name="form_version"', '1'), part('name="form_version"', '1')],
    [part('name="form_data"', '{"a":1}'), part('name="a"', '1')],
    [part('name="form_data"', '[]'), part('name="a"', '1')],
    [part('name="__proto__"', '1')],
    [part('name="a"', 'nul \0')],
  ]) {
    await assert.rejects(readParts(...parts), invalid);
  }
});

test('names and text are read in every spelling that clients use', async () => {
  const { files } = await readParts(
    part('name="a"; filename="C:\\\\dir\\\\räöü.png"', '1', 'content-type: Image/PNG; x=y'),
    part('name="b"; filename="x.txt"; filename*=UTF-8\'\'%e2%82%ac.txt', '2'),
    part('name="a%22b"; filename="q%22%0Aq\\".txt"', '3'),
    part('name="d"', '4', 'Content-Type: application/octet-stream'),
    part('name="empty"; filename=""', '', 'Content-Type: application/octet-stream'),
    part('name="e"; filename="../../etc/passwd"', 'QUJ\r\nD', 'Content-Transfer-Encoding: base64'),
    part('name="f";\r\n filename="folded"', ''),
  );
  assert.deepEqual(
    files.map(({ file, field, name, contentType, bytes }) => [file, field, name, contentType, bytes.toString()]),
    [
      [0, 'a', 'räöü.png', 'image/png', '1'],
      [1, 'b', '€.txt', null, '2'],
      [2, 'a"b', 'q"\nq".txt', null, '3'],
      [3, 'd', '', 'application/octet-stream', '4'],
      [4, 'e', 'passwd', null, 'ABC'],
      [5, 'f', 'folded', null, ''],
    ],
  );
  const latin1 = Buffer.from('é', 'latin1');
  assert.deepEqual((await readParts(part('name="a"', latin1))).body.form_data, { a: 'é' });
  await assert.rejects(readParts(part('name="a"', latin1, 'Content-Type: text/plain; charset=utf-8')), invalid);
  await assert.rejects(
    readParts(part('name="a"', 'x', 'Content-Type: text/plain; charset=utf-16')),
    refused('unsupported_media_type'),
  );
});

test('a part that is no field of a form is refused, and not passed over in silence', async () => {
  for (const body of [
    '',
    'preamble only',
    '--xYzZy',
    '--xYzZy\r\n--xYzZy--',
    '--xYzZy\r\n\r\nno headers\r\n--xYzZy--',
    '--xYzZy\r\nContent-Type: text/plain\r\n\r\nx\r\n--xYzZy--',
    '--xYzZy\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n--xYzZy--',
    '--xYzZy\r\nContent-Disposition: form-data; filename="a"\r\n\r\nx\r\n--xYzZy--',
    '--xYzZy\r\nContent-Disposition: form-data; name="a\r\n\r\nx\r\n--xYzZy--',
    '--xYzZy\r\nContent-Disposition: form-data; name="a"; name="b"\r\n\r\nx\r\n--xYzZy--',
    '--xYzZy\r\nContent-Disposition: form-data; name="a\n"\r\n\r\nx\r\n--xYzZy--',
    '--xYzZy\r\nContent-Disposition: form-data; name="a"\r\n--xYzZy--',
    '--xYzZy\r\nContent-Disposition: form-data; name="a"\r\nbroken\r\n\r\nx\r\n--xYzZy--',
    '--xYzZyabX: 1\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--xYzZy--',
    '--xYzZy\r\nContent-Disposition: form-data; name="a"\r\ncontent-disposition: form-data; name="b"\r\n\r\nx\r\n--xYzZy--',
    '--xYzZyLonger\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--xYzZy--',
    '--xYzZy\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nx\r\n--xYzZy--',
    `--xYzZy\r\nX: ${'x'.repeat(17_000)}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--xYzZy--`,
    `--xYzZy${' '.repeat(101)}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--xYzZy--`,
  ]) {
    await assert.rejects(read([Buffer.from(body)]), invalid, body);
  }
  const lenient = 'preamble\r\n--xYzZy \t\r\nContent-Disposition: form-data; name="a"\r\n\r\n--xYzZy--epilogue';
  assert.deepEqual((await read([Buffer.from(lenient)])).body.form_data, { a: '' });
  for (const type of ['multipart/form-data', 'multipart/mixed; boundary=xYzZy', 'multipart/form-data; boundary=""']) {
    await assert.rejects(read([Buffer.from('--xYzZy--')], BODY_LIMITS, type), invalid, type);
  }
  const quoted = lenient.replaceAll('xYzZy', 'x y');
  assert.ok(await read([Buffer.from(quoted)], BODY_LIMITS, 'Multipart/Form-Data; charset=utf-8; Boundary="x y"'));
});

test('each limit holds at its edge', async () => {
  const small = { files: 2, items: 3, stringBytes: 10, keyBytes: 4, skeletonBytes: 24, depth: 4 };
  const file = part('name="f"; filename="abcd"', 'x'.repeat(500));
  const field = (name: string, length: number) => part(`name="${name}"`, 'x'.repeat(length));
  for (const [parts, code] of [
    [[file, file], null],
    [[file, file, file], 'invalid_request'],
    [[part('name="f"; filename=""', ''), file, file], 'invalid_request'],
    [[field('a', 1), field('b', 1), field('c', 1)], null],
    [[field('a', 1), field('a', 1), field('a', 1), field('a', 1)], 'invalid_request'],
    [[field('a', 10)], null],
    [[field('a', 11)], 'payload_too_large'],
    [[field('abcd', 1)], null],
    [[field('abcde', 1)], 'payload_too_large'],
    [[part('name="f"; filename="abcde"', '')], 'payload_too_large'],
    [[field('a', 10), field('b', 10), field('c', 1)], null],
    [[field('a', 10), field('b', 10), field('c', 2)], 'payload_too_large'],
  ] as const) {
    const bytes = write([...parts]);
    for (const pieces of [[bytes], [...bytes].map((byte) => Buffer.of(byte))]) {
      if (code === null) assert.ok(await read(pieces, small));
      else await assert.rejects(read(pieces, small), refused(code));
    }
  }
  assert.equal((await readParts(...Array.from({ length: 1_000 }, () => file))).files.length, 1_000);
  await assert.rejects(readParts(...Array.from({ length: 1_001 }, () => file)), invalid);
});

test('a field that never ends is refused as soon as it is over its limit', async () => {
  let pulled = 0;
  async function* endless() {
    yield Buffer.from('--xYzZy\r\nContent-Disposition: form-data; name="a"\r\n\r\n');
    for (; pulled < 2e8; pulled += 65_536) yield Buffer.alloc(65_536, 'x');
  }
  await assert.rejects(
    readMultipart(endless(), TYPE, () => Promise.resolve()),
    refused('payload_too_large'),
  );
  assert.ok(pulled <= 2 ** 21 + 65_536);
});

test('a file is pulled no faster than it is taken', async () => {
  let pulled = 0;
  async function* source() {
    yield Buffer.from('--xYzZy\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n');
    for (; pulled < 50; pulled += 1) yield Buffer.alloc(1_000, 'x');
    yield Buffer.from('\r\n--xYzZy--');
    yield Buffer.from('epilogue');
    pulled = 99;
  }
  let taken = 0;
  await readMultipart(source(), TYPE, async (_, stream) => {
    for await (const piece of stream) {
      taken += piece.length;
      assert.ok(pulled * 1_000 - taken < 2_000);
      await Promise.resolve();
    }
  });
  assert.equal(taken, 50_000);
  assert.equal(pulled, 99, 'the source is read to its end');
});

test('the failure of a taker ends it all, and what a taker leaves is passed over', async () => {
  const bytes = write([
    part('name="a"; filename="a"', 'x'.repeat(5_000)),
    part('name="b"; filename="b"', 'y'.repeat(5_000)),
    part('name="c"', 'z'),
  ]);
  const pieces = () => arrive(cut(bytes, [100, 1_000, 3_000, 6_000, 9_000]));
  const seen: string[] = [];
  await assert.rejects(
    readMultipart(pieces(), TYPE, ({ name }) => {
      seen.push(name);
      return Promise.reject(new Error('store is full'));
    }),
    /store is full/,
  );
  assert.deepEqual(seen, ['a']);
  const late: AsyncIterable<Buffer>[] = [];
  const body = await readMultipart(pieces(), TYPE, async ({ name }, stream) => {
    late.push(stream);
    if (name === 'b') for await (const _ of stream) break;
  });
  assert.deepEqual(body.form_data, { c: 'z' });
  assert.equal(body.attachments.length, 2);
  for (const stream of late) assert.deepEqual(await Array.fromAsync(stream), []);
  const streams: AsyncIterable<Buffer>[] = [];
  const sizes: number[] = [];
  await readMultipart(pieces(), TYPE, async ({ name }, stream) => {
    streams.push(stream);
    if (name === 'a') return;
    for (const one of streams) sizes.push(Buffer.concat(await Array.fromAsync(one)).length);
  });
  assert.deepEqual(sizes, [0, 5_000], 'the stream of a part never gives the bytes of the next');
});

async function* broken() {
  yield Buffer.from('--xYzZy\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nabcdefghijkl');
  throw new Error('hung up');
}

test('where the source fails, its error reaches the taker and the caller', async () => {
  let told: unknown;
  await assert.rejects(
    readMultipart(broken(), TYPE, async (_, stream) => {
      try {
        await Array.fromAsync(stream);
      } catch (error) {
        told = error;
        throw error;
      }
    }),
    /hung up/,
  );
  assert.match(String(told), /hung up/);
  // A taker that swallows it cannot make the body whole.
  await assert.rejects(
    readMultipart(broken(), TYPE, async (_, stream) => {
      await Array.fromAsync(stream).catch(() => []);
    }),
    invalid,
  );
});
