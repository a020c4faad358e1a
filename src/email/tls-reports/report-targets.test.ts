import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { nameOf, readReportTargets } from './report-targets.ts';

const namesIn = (...records: string[]) => readReportTargets(records).map(nameOf);

test('addresses are read as the RFC writes them', () => {
  const cases: [string, string[]][] = [
    ['v=TLSRPTv1;rua=mailto:reports@example.com', ['mailto:reports@example.com']],
    ['v=TLSRPTv1; rua=https://reporting.example.com/v1/tlsrpt', ['https://reporting.example.com/v1/tlsrpt']],
    ['v=TLSRPTv1 ; rua=mailto:a@b.example ,\thttps://c.example/ ;', ['mailto:a@b.example', 'https://c.example/']],
    ['v=TLSRPTv1; x=1; rua=mailto:a%2Bb@c.example?subject=no; y=2', ['mailto:a+b@c.example']],
    ['v=TLSRPTv1; rua=HTTPS://c.example/a%2Cb', ['HTTPS://c.example/a%2Cb']],
  ];
  for (const [record, names] of cases) assert.deepEqual(namesIn(record), names, record);
  const other = 'some other text';
  assert.deepEqual(namesIn(other, 'v=TLSRPTv1;rua=mailto:a@b.example'), ['mailto:a@b.example']);
});

test('what says nothing that can be followed asks for no report', () => {
  const records = [
    '',
    'v=TLSRPTv1',
    'v=TLSRPTv1;',
    'v=tlsrptv1; rua=mailto:a@b.example',
    'v=TLSRPTv2; rua=mailto:a@b.example',
    ' v=TLSRPTv1; rua=mailto:a@b.example',
    'v=TLSRPTv1; RUA=mailto:a@b.example',
    'v=TLSRPTv1; rua=mailto:a@b.example; rua=mailto:b@b.example',
    'v=TLSRPTv1; rua=http://b.example/',
    'v=TLSRPTv1; rua=https://',
    'v=TLSRPTv1; rua=ftp://b.example/',
    'v=TLSRPTv1; rua=mailto:nobody',
    'v=TLSRPTv1; rua=mailto:%0d%0aBcc:a@b.example',
    'v=TLSRPTv1; rua=mailto:A%20%3Ca@b.example%3E',
    'v=TLSRPTv1; rua=mailto:%ff@b.example',
    `v=TLSRPTv1; rua=mailto:a@b.example; x=${'x'.repeat(4_096)}`,
  ];
  for (const record of records) assert.deepEqual(namesIn(record), [], record);
  const one = 'v=TLSRPTv1; rua=mailto:a@b.example';
  assert.deepEqual(namesIn(one, one), [], 'two records are none');
});

const listed = (count: number) => Array.from({ length: count }, (_, each) => `mailto:a${each}@b.example`);

test('two addresses are followed and no more', () => {
  for (const count of [1, 2, 3]) {
    const found = namesIn(`v=TLSRPTv1; rua=${listed(count).join(',')}`);
    assert.deepEqual(found, listed(Math.min(count, 2)));
  }
});

test('no record breaks the reader, and an address that is found cannot break a header', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'v=TLSRPTv1',
      ';',
      'rua=',
      'mailto:',
      'https://',
      ',',
      ' ',
      '%0d%0a',
      '@',
      'a.example',
      '?',
      '<',
      '>',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const record = fc.array(piece, { maxLength: 20 }).map((pieces) => `v=TLSRPTv1;rua=${pieces.join('')}`);
  fc.assert(
    fc.property(fc.array(record, { maxLength: 2 }), (records) => {
      for (const target of readReportTargets(records)) {
        if (target.kind === 'mail') assert.match(target.address, /^[\w!#$%&'*+/=?^`{|}~.-]+@[a-z0-9.-]+$/i);
        else assert.ok(URL.canParse(target.url));
      }
    }),
    { numRuns: 2_000 },
  );
});
