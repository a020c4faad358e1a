import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from './json-body.ts';

const read = (text: string) => readJson(Buffer.from(text), 'application/json');

const list = (count: number) => `[${'0,'.repeat(count - 2)}0]`;

test('a body holds at most a million values, and strings of any text', () => {
  assert.equal((read(list(1_000_000)) as unknown[]).length, 999_999);
  const refused = { code: 'invalid_request', message: 'The body holds more than 1000000 values' };
  for (const body of [list(1_000_002), `[${'{},'.repeat(600_000)}{}]`, '['.repeat(1_000_001)]) {
    assert.throws(() => read(body), refused);
  }
  const text = ',[{\\"'.repeat(600_000);
  assert.deepEqual(read(`["${text}",""]`), [',[{"'.repeat(600_000), '']);
});

test('a whole number that would become another one stays as it was sent', () => {
  const sent =
    '{"a":12345678901234567890,"b":[-9007199254740993,9007199254740992,684728463491286500,1e20,0.12345678901234567890],"1234567890123456":2}';
  assert.deepEqual(read(sent), {
    a: '12345678901234567890',
    b: ['-9007199254740993', 9007199254740992, 684728463491286500, 1e20, 0.12345678901234568],
    '1234567890123456': 2,
  });
  for (const huge of ['1e400', '9'.repeat(500)])
    assert.throws(() => read(`[${huge}]`), { message: 'A number is too large' });
});

test('a long body that ends within a string is not JSON', () => {
  assert.throws(() => read(`["${','.repeat(1_100_000)}`), { code: 'malformed_json' });
});
