import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parser } from 'stream-json';
import { AppError } from '../../../errors.ts';
import { BODY_LIMITS } from './limits.ts';
import { JsonScanner } from './scan-json.ts';

type Body = Record<string, unknown>;
interface Scanned {
  body: Body;
  contents: string[];
}

/** Scans what comes in these pieces; the sink refuses what no base64 can hold, as a decoder would. */
function scan(pieces: Buffer[], contentType?: string, limits = BODY_LIMITS): Scanned {
  const contents: string[] = [];
  let open = -1;
  const sink = {
    begin(file: number) {
      assert.equal(open, -1);
      assert.equal(file, contents.length);
      contents.push('');
      open = file;
    },
    piece(file: number, bytes: Buffer) {
      assert.equal(file, open);
      assert.ok(bytes.length > 0);
      if (/[^A-Za-z0-9+/=\r\n]/.test(bytes.toString('latin1'))) throw new AppError('invalid_request', 'not base64');
      contents[file] += bytes.toString('latin1');
    },
    end(file: number) {
      assert.equal(file, open);
      open = -1;
    },
  };
  const scanner = new JsonScanner(sink, contentType, limits);
  for (const piece of pieces) scanner.write(piece);
  const body = scanner.end();
  assert.equal(open, -1);
  return { body, contents };
}

const scanText = (text: string) => scan([Buffer.from(text)]);
const refused = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;

function attempt(pieces: Buffer[]): Scanned | AppError {
  try {
    return scan(pieces);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function cut(bytes: Buffer, places: number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

/** The body with its files back in their places. */
function putBack({ body, contents }: Scanned): Body {
  const attachments = Array.isArray(body.attachments)
    ? body.attachments.map((one: unknown) =>
        typeof one === 'object' && one !== null && 'content' in one
          ? { ...one, content: contents[one.content as number] }
          : one,
      )
    : body.attachments;
  return 'attachments' in body ? { ...body, attachments } : body;
}

/** Whether a text that is JSON breaks a rule of ours, told from its tokens. */
function breaksRules(text: string): boolean {
  const stack: { keys: Set<string> | null; path: (string | number)[] }[] = [];
  let key = '';
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/gs) ?? [];
  if (tokens[0] !== '{') return true;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    const top = stack.at(-1);
    if (token.startsWith('"')) {
      const value = JSON.parse(token) as string;
      if (value.includes('\0') || !value.isWellFormed()) return true;
      if (next === ':') {
        if (top?.keys?.has(value) === true || value === '__proto__') return true;
        top?.keys?.add(value);
        key = value;
      }
    }
    if (next === ':' || token === ',' || token === ':' || token === '}' || token === ']') {
      if (token === '}' || token === ']') stack.pop();
      continue;
    }
    const path = top === undefined ? [] : [...top.path, top.keys === null ? 0 : key];
    if (
      JSON.stringify(path) === '["attachments",0,"content"]' &&
      !/^"(?:[A-Za-z0-9+/=]|\\[nr/]|\\u00(?:3[dD]|2[bBfF]))*"$/.test(token)
    )
      return true;
    if (token === '{' || token === '[') stack.push({ keys: token === '{' ? new Set() : null, path });
  }
  return false;
}

const keys = fc.constantFrom(
  '"attachments"',
  '"\\u0061ttachments"',
  '"content"',
  '"cont\\u0065nt"',
  '"name"',
  '"name"',
  '"a"',
  '"\\u0061"',
  '"é"',
  '"\\u00e9"',
  '"\\""',
  '"__proto__"',
  '"form_data"',
  '"b"',
  '"c"',
  '"\\\\"',
  '""',
);
const strings = fc.oneof(
  fc.constantFrom('"QUJD"', '"QU\\nJD\\r\\n"', '"a\\/b="', '""', '"\\u0041"', '"\\""', '"\\\\"', '"\\ud83d\\ude00"'),
  fc.constantFrom('"QQ\\u003d\\u003D"', '"\\u002b\\u002B\\u002f\\u002F"', '"\\\\u002f"', '"\\u003"', '"\\U003d"'),
  fc.constantFrom('"\\ud800"', '"\\u0000"', '"é"', '"{}[],:"', '"a\\\\\\"b"', '"\\\\n"'),
  fc.string({ unit: 'binary', maxLength: 5 }).map((text) => JSON.stringify(text)),
  fc.base64String({ maxLength: 12 }).map((text) => `"${text}"`),
);
const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r\n');
const { value: values } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(strings, fc.constantFrom('0', '-1.5e3', 'true', 'null', '12')),
    tie('object'),
    tie('list'),
  ),
  list: fc
    .tuple(space, fc.array(tie('value'), { maxLength: 4 }))
    .map(([gap, inner]) => `[${gap}${inner.join(`${gap},`)}]`),
  object: members(fc.tuple(keys, tie('value')), 4),
}));

function members(member: fc.Arbitrary<[string, string]>, maxLength: number): fc.Arbitrary<string> {
  return fc
    .tuple(space, fc.uniqueArray(member, { maxLength, selector: ([key]) => key }))
    .map(
      ([gap, inner]) => `{${gap}${inner.map(([key, value]) => `${key}${gap}:${gap}${value}`).join(`,${gap}`)}${gap}}`,
    );
}

const attachment = members(
  fc.oneof(
    fc.tuple(fc.constantFrom('"content"', '"name"', '"x"'), strings),
    fc.tuple(
      fc.constantFrom('"content"', '"cont\\u0065nt"'),
      fc.base64String({ maxLength: 40 }).map((s) => `"${s}"`),
    ),
    fc.tuple(keys, values),
  ),
  3,
);
const documents = fc
  .tuple(
    fc.constantFrom('', '', '', '\ufeff'),
    members(
      fc.oneof(
        fc.tuple(
          fc.constantFrom('"attachments"', '"attachments"', '"\\u0061ttachments"'),
          fc
            .array(fc.oneof({ weight: 5, arbitrary: attachment }, values), { maxLength: 4 })
            .map((l) => `[${l.join()}]`),
        ),
        fc.tuple(keys, values),
      ),
      4,
    ),
  )
  .map(([mark, text]) => mark + text);

const BACKSLASH_KEY = /"(?:[^"\\]|\\.)*\\\\(?:[^"\\]|\\.)*"\s*:/s;

/** The scanner agrees with JSON.parse and with our rules, whatever the bytes. */
function agree(bytes: Buffer, places: number[]): boolean {
  // The key with a backslash would make JSON.parse misread later bodies here too.
  if (BACKSLASH_KEY.test(bytes.toString('latin1'))) return false;
  const result = attempt(cut(bytes, places));
  const single = attempt([...bytes].map((byte) => Buffer.of(byte)));
  if (result instanceof AppError) assert.ok(single instanceof AppError);
  else assert.deepEqual(single, result);
  const text = (isUtf8(bytes) ? bytes.toString() : new TextDecoder('windows-1252').decode(bytes)).replace(
    /^\ufeff/,
    '',
  );
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    assert.ok(result instanceof AppError, 'accepts what is not JSON');
    return false;
  }
  if (result instanceof AppError) assert.ok(breaksRules(text), `refuses what is in order: ${result.message}`);
  else {
    assert.ok(!breaksRules(text), 'accepts what breaks a rule');
    assert.deepEqual(putBack(result), parsed);
  }
  return !(result instanceof AppError);
}

test('a body is accepted exactly where JSON.parse takes it and no rule is broken, and is the same body', () => {
  let accepted = 0;
  fc.assert(
    fc.property(documents, fc.array(fc.nat(), { maxLength: 10 }), (text, places) => {
      if (agree(Buffer.from(text), places)) accepted += 1;
    }),
    { numRuns: 2_000 },
  );
  assert.ok(accepted > 300, `only ${accepted} were in order`);
});

test('a body with bytes changed, put in or left out is judged as JSON.parse judges it', () => {
  const bytes = fc.constantFrom(...Buffer.from('"""\\\\{}[],:0 1n\n\r\t\0/ué', 'latin1'));
  const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom('put', 'change', 'drop', 'swap'), bytes), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(documents, edits, fc.array(fc.nat(), { maxLength: 4 }), (text, list, places) => {
      const document = [...Buffer.from(text)];
      for (const [where, kind, byte] of list) {
        const at = where % (document.length + 1);
        document.splice(at, kind === 'put' ? 0 : 1, ...(kind === 'drop' ? [] : [byte]));
      }
      agree(Buffer.from(document), places);
    }),
    { numRuns: 4_000 },
  );
});

test('stream-json finds the same contents in the same places', async () => {
  const document = JSON.stringify({
    form_data: { attachments: [{ content: 'not a file' }], content: 'x' },
    attachments: [{ content: 'QUJD', name: 'a' }, { name: 'b' }, { fileName: 'c', content: 'REVG\r\nR0g=' }],
    content: 'y',
  });
  const options = { streamKeys: false, streamStrings: false, streamNumbers: false };
  const found: unknown[] = [];
  let [depth, key, top]: [number, unknown, unknown] = [0, null, null];
  for await (const token of Readable.from([document]).pipe(parser.asStream(options))) {
    const { name, value } = token as { name: string; value?: string };
    if (name.startsWith('start')) depth += 1;
    else if (name.startsWith('end')) depth -= 1;
    else if (name === 'keyValue') key = value;
    if (name === 'keyValue' && depth === 1) top = value;
    if (name === 'stringValue' && depth === 3 && top === 'attachments' && key === 'content') found.push(value);
  }
  assert.deepEqual(scanText(document).contents, found);
  assert.equal(found.length, 2);
});

test('keys come in any order, and a file without content keeps its place', () => {
  const { body, contents } = scanText(
    '{"attachments":[{"content":"QQ==","name":"a"},{"name":"b"},{"contentType":"c","content":""}],"form_version":3}',
  );
  assert.deepEqual(body, {
    attachments: [{ content: 0, name: 'a' }, { name: 'b' }, { contentType: 'c', content: 1 }],
    form_version: 3,
  });
  assert.deepEqual(contents, ['QQ==', '']);
});

test('content is the same however a client spells its signs, wherever the body is cut', () => {
  const bytes = Buffer.from('{"attachments":[{"content":"a\\u002bB\\u002Fc\\/d\\r\\ne\\u003D\\u003d"}]}');
  for (let at = 0; at <= bytes.length; at += 1) {
    const { contents } = scan([bytes.subarray(0, at), bytes.subarray(at)]);
    assert.deepEqual(contents, ['a+B/c/d\r\ne=='], String(at));
  }
});

test('each rule has its refusal, which never repeats what was sent', () => {
  const secret = 'SECRET';
  for (const [text, code] of [
    [`{"${secret}":1,"${secret}":2}`, 'invalid_request'],
    [`{"a":{"${secret}":1,"\\u0053ECRET":2}}`, 'invalid_request'],
    [`{"attachments":[{"content":"${secret}","content":"${secret}"}]}`, 'invalid_request'],
    [`{"attachments":[],"attachments":[{"content":"${secret}"}]}`, 'invalid_request'],
    ['{"attachments":[{"content":0}]}', 'invalid_request'],
    ['{"attachments":[{"content":null}]}', 'invalid_request'],
    ['{"attachments":[{"content":["QUJD"]}]}', 'invalid_request'],
    [`{"attachments":[{"content":"${secret}\\u0041"}]}`, 'invalid_request'],
    [`{"attachments":[{"content":"${secret}\\u002e"}]}`, 'invalid_request'],
    [`{"attachments":[{"content":"${secret}\\\\u002f"}]}`, 'invalid_request'],
    [`{"attachments":[{"content":"${secret}\\u00"}]}`, 'invalid_request'],
    [`{"attachments":[{"content":"${secret}\\U003d"}]}`, 'invalid_request'],
    [`{"attachments":[{"content":"${secret}\\t"}]}`, 'invalid_request'],
    [`{"attachments":[{"content":"${secret}\\\\n"}]}`, 'invalid_request'],
    [`{"attachments":[{"content":"${secret}\\""}]}`, 'invalid_request'],
    [`{"attachments":[{"content":"${secret}\\"}]}`, 'invalid_request'],
    [`{"attachments":[{"content":"${secret}\n"}]}`, 'malformed_json'],
    [`{"attachments":[{"content":"${secret}\r"}]}`, 'malformed_json'],
    [`{"${secret}\\\\":1}`, 'invalid_request'],
    [`{"a":{"${secret}\\u005c":1}}`, 'invalid_request'],
    [`{"__proto__":"${secret}"}`, 'invalid_request'],
    [`{"a":"${secret}\\u0000"}`, 'invalid_request'],
    [`{"a":"${secret}\\ud800"}`, 'invalid_request'],
    [`{"a":"${secret}\u0001"}`, 'malformed_json'],
    [`{"a":"${secret}"} x`, 'malformed_json'],
    [`{"a":"${secret}"}{"attachments":[{"content":"QUJD`, 'malformed_json'],
    [`{"a":"${secret}"}}`, 'malformed_json'],
    [`{"a":"${secret}`, 'malformed_json'],
    [`{"attachments":[{"content":"${secret}`, 'malformed_json'],
    [`["${secret}"]`, 'invalid_request'],
    [`"${secret}"`, 'invalid_request'],
    ['null', 'invalid_request'],
    ['', 'malformed_json'],
    [`{"attachments":[{"content":"${secret}" 0}]}`, 'malformed_json'],
    [`{"attachments":[{"content":1"${secret}"}]}`, 'malformed_json'],
  ] as const) {
    for (const pieces of [[Buffer.from(text)], [...Buffer.from(text)].map((byte) => Buffer.of(byte))]) {
      const error = attempt(pieces);
      assert.ok(error instanceof AppError, text);
      assert.equal(error.code, code, text);
      assert.ok(!JSON.stringify([error.message, error.fields, error.beside]).includes(secret), error.message);
    }
  }
});

test('a key that JSON.parse misreads after a body from another door is no value of the form', () => {
  const escaped = '{"misread":0,"\\u00e9tat":1}';
  assert.ok(JSON.parse('{"misread":0,"\\\\u00":1}'));
  // A later V8 reads it right.
  const result = attempt([Buffer.from(escaped)]);
  if (result instanceof AppError) assert.equal(result.code, 'unavailable');
  else assert.deepEqual(result.body, { misread: 0, état: 1 });
});

test('text is read in the charset that was declared, or UTF-8, or ISO-8859-1 where it cannot be that', () => {
  const [utf8, latin1] = [Buffer.from('{"a":"é"}'), Buffer.from('{"a":"é"}', 'latin1')];
  assert.equal(scan([utf8]).body.a, 'é');
  assert.equal(scan([latin1]).body.a, 'é');
  assert.equal(scan([latin1], 'application/json; charset=iso-8859-1').body.a, 'é');
  assert.throws(() => scan([latin1], 'application/json; charset=utf-8'), refused('malformed_json'));
  assert.throws(() => scan([], 'application/json; charset=utf-16'), refused('unsupported_media_type'));
  assert.throws(() => scanText('{"é":1,"\\u00e9":2}'), refused('invalid_request'));
});

test('each limit holds at its edge', () => {
  const small = { files: 2, items: 6, stringBytes: 10, keyBytes: 11, skeletonBytes: 80, depth: 4 };
  const file = '{"content":"QUJDQUJDQUJDQUJDQUJD"}';
  for (const [text, code] of [
    [`{"attachments":[${file},${file}]}`, null],
    [`{"attachments":[${file},${file},${file}]}`, 'invalid_request'],
    ['{"attachments":[{},{}]}', null],
    ['{"attachments":[{},{},{}]}', 'invalid_request'],
    ['{"a":[1,2,[],{"b":1}]}', null],
    ['{"a":[1,2,[3],{"b":1}]}', 'invalid_request'],
    ['{"a":[1,2,{},{"b":1,"c":1}]}', 'invalid_request'],
    ['{"a":"1234567890"}', null],
    ['{"a":"12345678901"}', 'payload_too_large'],
    ['{"a":"12345\\u0041"}', 'payload_too_large'],
    ['{"12345678901":1}', null],
    ['{"123456789012":1}', 'payload_too_large'],
    [`{"a":1}${' '.repeat(73)}`, null],
    [`{"a":1}${' '.repeat(74)}`, 'payload_too_large'],
    ['{"a":[[[1]]]}', null],
    ['{"a":[[[[]]]]}', 'invalid_request'],
  ] as const) {
    for (const pieces of [[Buffer.from(text)], [...Buffer.from(text)].map((byte) => Buffer.of(byte))]) {
      if (code === null) assert.ok(scan(pieces, undefined, small), text);
      else assert.throws(() => scan(pieces, undefined, small), refused(code), text);
    }
  }
});

test('a thousand attachments are taken, 64 levels, 20,000 values, 2 MiB of text and 4 MiB in all, and no more', () => {
  for (const [limit, write, code] of [
    [
      1_000,
      (count: number) => `{"attachments":[${'{"content":"QUJD"},'.repeat(count).slice(0, -1)}]}`,
      'invalid_request',
    ],
    [64, (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`, 'invalid_request'],
    [20_000, (count: number) => `{"a":[${'1,'.repeat(count - 1).slice(0, -1)}]}`, 'invalid_request'],
    [2 ** 21, (bytes: number) => `{"a":"${'x'.repeat(bytes)}"}`, 'payload_too_large'],
    [1_024, (bytes: number) => `{"${'k'.repeat(bytes)}":1}`, 'payload_too_large'],
    [2 ** 22, (bytes: number) => `{}${' '.repeat(bytes - 2)}`, 'payload_too_large'],
  ] as const) {
    assert.ok(scanText(write(limit)));
    assert.throws(() => scanText(write(limit + 1)), refused(code), `${limit}`);
  }
});

test('what never ends is refused as soon as it is over its limit', () => {
  const chunk = 65_536;
  for (const [begin, fill, most] of [
    ['{"', 'k', chunk],
    ['{"\\', '"\\', chunk],
    ['{"a":"', 'x', 2 ** 21 + chunk],
    ['{"a":', '1', 2 ** 22 + chunk],
    ['', ' ', 2 ** 22 + chunk],
    ['', '[', chunk],
    ['', ']', chunk],
    ['{}{"attachments":[{"content":"', 'A', chunk],
    ['{"attachments":[{"content":"', '\\t', chunk],
    ['{"a":[', '1,', chunk],
    ['{"a":[', '[],', 2 * chunk],
    ['{"a":', ':', chunk],
    ['{"attachments":[', '{"content":"A"},', chunk],
    ['{"attachments":[{', '"content":"A",', chunk],
  ] as const) {
    const scanner = new JsonScanner({ begin() {}, piece() {}, end() {} }, undefined);
    const bytes = Buffer.alloc(chunk - (chunk % fill.length), fill);
    let written = 0;
    assert.throws(
      () => {
        scanner.write(Buffer.from(begin));
        while (written < 2e7) {
          written += bytes.length;
          scanner.write(bytes);
        }
      },
      AppError,
      begin + fill,
    );
    assert.ok(written <= most, `${begin}${fill}: ${written}`);
  }
});
