import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import Papa from 'papaparse';
import { CsvReader, type CsvRecord } from '../../src/marketing/imports/reading/csv-reader.ts';

const COMMA = { delimiter: ',', newline: '\n' } as const;
const MB = 2 ** 20;

/** Everything in a text, read in pieces of a length. */
function readAll(
  text: string,
  pieceLength = 7,
  form: ConstructorParameters<typeof CsvReader>[0] = COMMA,
  from?: CsvRecord,
) {
  const reader = new CsvReader(form, from === undefined ? undefined : { offset: from.end, line: from.nextLine });
  const records: CsvRecord[] = [];
  const take = () => {
    for (let record = reader.next(); record !== null; record = reader.next()) records.push(record);
  };
  for (let at = from?.end ?? 0; at < text.length; at += pieceLength) {
    reader.write(text.slice(at, at + pieceLength));
    take();
  }
  reader.end();
  take();
  return records;
}

const cellsOf = (records: CsvRecord[]) => records.map((record) => ('cells' in record ? record.cells : record.reason));

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', ' ', '\n', '=', '1'), maxLength: 8 });
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 });

test('whatever a reference writes is read as it was, however it is cut into pieces', () => {
  fc.assert(
    fc.property(
      table,
      fc.constantFrom(',', ';', '\t', '|'),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 30 }),
      (rows, delimiter, newline, length) => {
        const text = Papa.unparse(rows, { delimiter, newline });
        const reference = Papa.parse<string[]>(text, { delimiter, newline, skipEmptyLines: true }).data;
        const records = readAll(text, length, { delimiter, newline: '\n' });
        assert.deepEqual(cellsOf(records), reference);
        assert.equal(records.at(-1)?.end, text.length);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('reading on from where any row ended gives the rest', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '\n', '\r\n'), maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (text, length) => {
        const records = readAll(text, length);
        for (const [index, record] of records.entries()) {
          assert.deepEqual(readAll(text, length, COMMA, record), records.slice(index + 1));
        }
        assert.deepEqual(readAll(text, 1_000), records, 'and the pieces make no difference');
      },
    ),
    { numRuns: 1_000 },
  );
});

test('lines are counted through quotes and blank lines', () => {
  const records = readAll('a,b\n\n"x\ny",2\r\n\nc,d');
  assert.deepEqual(cellsOf(records), [
    ['a', 'b'],
    ['x\ny', '2'],
    ['c', 'd'],
  ]);
  assert.deepEqual(
    records.map(({ line }) => line),
    [1, 3, 6],
  );
});

test('a quote that never closes costs its own line only', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => `a${index},b`).join('\n');
  const records = readAll(`x,"y\n${rows}\n`, 65_536);
  assert.deepEqual(records[0], { line: 1, end: 5, nextLine: 2, reason: 'has a quote that never closes' });
  assert.equal(records.length, 200_001);
  assert.deepEqual(cellsOf(records.slice(-1)), [['a199999', 'b']]);
  assert.deepEqual(cellsOf(readAll('a,"b\nc,d\n')), ['has a quote that never closes', ['c', 'd']]);
  assert.deepEqual(cellsOf(readAll('a,"b\n"c",d\ne,f')), ['has a quote in the wrong place', ['c', 'd'], ['e', 'f']]);
});

test('a line above 1 MB is refused by its number and not kept, one of 1 MB is read', () => {
  const fits = `a,${'x'.repeat(MB - 2)}`;
  assert.equal(readAll(`${fits}\nb,c`, 65_536).filter((record) => 'cells' in record).length, 2);
  for (const text of [`${fits}x`, `a,"${'x'.repeat(MB)}"`, 'y'.repeat(10 * MB)]) {
    const records = readAll(`a,b\n${text}\nc,d`, 65_536);
    assert.deepEqual(cellsOf(records), [['a', 'b'], 'is longer than 1 MB', ['c', 'd']]);
    assert.deepEqual(
      records.map(({ line }) => line),
      [1, 2, 3],
    );
    assert.deepEqual(cellsOf(readAll(text, 65_536)), ['is longer than 1 MB'], 'also as the last line');
  }
});

test('files of old Macs are read by their carriage returns', () => {
  assert.deepEqual(cellsOf(readAll('a,b\r"c\r",d\re,f', 3, { delimiter: ',', newline: '\r' })), [
    ['a', 'b'],
    ['c\r', 'd'],
    ['e', 'f'],
  ]);
});
