import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { matchesPolicy, parseStsPolicy, parseStsRecord } from './mta-sts.ts';

const POLICY = 'version: STSv1\r\nmode: enforce\r\nmx: mail.example.com\r\nmx: *.example.net\r\nmax_age: 604800\r\n';
const READ = { mode: 'enforce', mx: ['mail.example.com', '*.example.net'], maxAge: 604_800 };

const aged = (age: string) => parseStsPolicy(POLICY.replace('604800', age))?.maxAge;

const LIKE_IT: Record<string, string> = {
  'the example of the RFC': POLICY,
  'line feeds alone': POLICY.replaceAll('\r\n', '\n'),
  'no end to the last line': POLICY.trimEnd(),
  'unknown fields': `${POLICY}x-new_field.2: anything: at all\r\n`,
  'no space, or much of it': POLICY.replaceAll(': ', ':').replace('enforce', '\t  enforce \t'),
  'capitals in a name': POLICY.replace('mail.example', 'MAIL.Example'),
  'another order': POLICY.split('\r\n').toSorted().join('\n').trim(),
  'a field twice, of which the first counts': `${POLICY}mode: none\r\nmax_age: 1\r\nversion: STSv2\r\n`,
};

for (const [what, text] of Object.entries(LIKE_IT)) {
  test(`a policy is read: ${what}`, () => {
    const read = parseStsPolicy(text);
    assert.deepEqual({ ...read, mx: read?.mx.toSorted() }, { ...READ, mx: READ.mx.toSorted() });
  });
}

const NOT_ONE: Record<string, string> = {
  nothing: '',
  'a page': '<html><body>Not found</body></html>',
  'no version': POLICY.replace('version: STSv1\r\n', ''),
  'another version': POLICY.replace('STSv1', 'STSv2'),
  'a version in other letters': POLICY.replace('STSv1', 'stsv1'),
  'no mode': POLICY.replace('mode: enforce\r\n', ''),
  'another mode': POLICY.replace('enforce', 'report'),
  'no age': POLICY.replace('max_age: 604800\r\n', ''),
  'an age that is no number': POLICY.replace('604800', '1e5'),
  'an age below zero': POLICY.replace('604800', '-1'),
  'an age of eleven digits': POLICY.replace('604800', '00000604800'),
  'no mail server': POLICY.replaceAll(/mx:.*\r\n/g, ''),
  'a star inside': POLICY.replace('*.', 'mx.*.'),
  'a star within a label': POLICY.replace('*.', 'mx*.'),
  'a star alone': POLICY.replace('*.example.net', '*'),
  'two stars': POLICY.replace('*.', '*.*.'),
  'a name that is none': POLICY.replace('mail.example.com', 'mail_1 example'),
  'an empty name': POLICY.replace('mail.example.com', ''),
  'an empty line': POLICY.replace('mode', '\r\nmode'),
};

for (const [what, text] of Object.entries(NOT_ONE)) {
  test(`a policy is refused: ${what}`, () => assert.equal(parseStsPolicy(text), null));
}

test('a policy that asks for nothing needs no mail server', () => {
  assert.deepEqual(parseStsPolicy('version: STSv1\nmode: none\nmax_age: 86400'), {
    mode: 'none',
    mx: [],
    maxAge: 86_400,
  });
});

test('an age holds for a year at most', () => {
  assert.deepEqual(['0', '31557600', '31557601', '9999999999'].map(aged), [0, 31_557_600, 31_557_600, 31_557_600]);
});

test('anything at all is read without harm', () => {
  const line = fc.tuple(
    fc.constantFrom('version', 'mode', 'mx', 'max_age', 'x'),
    fc.constantFrom(': ', ':', ' '),
    fc.string(),
  );
  const lines = fc
    .array(
      line.map((parts) => parts.join('')),
      { maxLength: 8 },
    )
    .map((all) => all.join('\n'));
  fc.assert(
    fc.property(fc.oneof(lines, fc.string()), (text) => {
      const read = parseStsPolicy(text);
      assert.ok(read === null || read.maxAge <= 31_557_600);
    }),
  );
});

test('no line of spaces, names or fields of the largest size takes long', () => {
  const spaces = ' \t'.repeat(16_000);
  const started = performance.now();
  for (const text of [
    `mx:x${spaces}x${spaces}x`,
    `mx: ${'a.'.repeat(32_000)}`,
    'mx: a.b\n'.repeat(8_000),
    'a:'.repeat(32_000),
  ]) {
    parseStsPolicy(`version: STSv1\nmode: enforce\nmax_age: 1\n${text}`);
  }
  assert.ok(performance.now() - started < 2_000);
});

test('the id of a record is read where exactly one is of this version', () => {
  assert.equal(parseStsRecord(['v=STSv1; id=20160831085700Z;']), '20160831085700Z');
  assert.equal(parseStsRecord(['v=spf1 -all', 'v=STSv1;id=a1']), 'a1');
  assert.equal(parseStsRecord(['v=STSv1 ; x=y ; id=a1 ; z=w']), 'a1');
  assert.equal(parseStsRecord(['v=STSv10; id=b', 'v=STSv1; id=a']), 'a');
  for (const records of [
    [],
    ['v=STSv1; id=a', 'v=STSv1; id=a'],
    ['v=STSv1; id=a', 'v=STSv1'],
    ['v=STSv1'],
    ['v=STSv1;'],
    ['v=STSv1; id='],
    ['v=STSv1; id=a-b'],
    [`v=STSv1; id=${'a'.repeat(33)}`],
    ['v=STSv2; id=a'],
    ['id=a; v=STSv1'],
    [' v=STSv1; id=a'],
  ]) {
    assert.equal(parseStsRecord(records), null, JSON.stringify(records));
  }
  assert.equal(parseStsRecord([`v=STSv1; id=${'a'.repeat(32)}`]), 'a'.repeat(32));
});

test('a star stands for one label, no more and no less', () => {
  const patterns = ['mail.example.com', '*.example.net', '*.org'];
  for (const host of ['mail.example.com', 'MAIL.example.COM', 'a.example.net', 'mx-1.Example.net']) {
    assert.equal(matchesPolicy(patterns, host), true, host);
  }
  for (const host of [
    'example.com',
    'a.mail.example.com',
    'example.net',
    'a.b.example.net',
    '.example.net.',
    'aexample.net',
    '',
    'net',
    'org',
    'a.b.org',
  ]) {
    assert.equal(matchesPolicy(patterns, host), false, host);
  }
});
