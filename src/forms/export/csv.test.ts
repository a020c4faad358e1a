import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { defuse } from '../../platform/csv.ts';
import { columnsOf } from './columns.ts';
import { writeCsv } from './csv.ts';
import { each, form, page, question, submission, whole } from './form.examples.ts';

/** RFC 4180 as it is written, and nothing more. */
function parse(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < csv.length; ) {
    const quoted = /"((?:[^"]|"")*)"/y;
    const plain = /[^",\r\n]*/y;
    quoted.lastIndex = at;
    plain.lastIndex = at;
    const cell = quoted.exec(csv) ?? plain.exec(csv);
    assert.ok(cell);
    row.push(cell[1]?.replaceAll('""', '"') ?? cell[0]);
    at += cell[0].length;
    if (csv.startsWith(',', at)) at += 1;
    else {
      assert.equal(csv.slice(at, at + 2), '\r\n');
      rows.push(row);
      row = [];
      at += 2;
    }
  }
  return rows;
}

const MODEL = form(page(null, [question('text', 'a', '=Label, "A"'), question('text', 'b', 'B')]));
const COLUMNS = columnsOf([{ version: 1, model: MODEL }]);
const STARTS = /^[\s"'\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\0]/u;

const PIECES = [
  '=',
  '+',
  '-',
  '@',
  '＝',
  '＠',
  '\t',
  '\r',
  '\n',
  '\0',
  ' ',
  '"',
  "'",
  ',',
  ';',
  '|',
  'a(',
  'ü',
  '\ufeff',
  '\u200b',
];
const anyCell = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'grapheme' }),
);

async function csvOf(cells: [string, string][]): Promise<string> {
  const sent = cells.map(([a, b]) => submission({ a, b }));
  return (await whole(writeCsv(COLUMNS, each(sent)))).toString();
}

test('what is written reads back, and no cell of it starts a formula', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyCell, anyCell), { maxLength: 5 }), async (cells) => {
      const rows = parse(await csvOf(cells));
      assert.equal(rows.length, cells.length + 1);
      const suspects = rows.flat().filter((cell) => !/^-?\d+(?:\.\d+)?$/.test(cell));
      for (const cell of suspects) assert.doesNotMatch(cell, /^[\s"\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\0]/u);
      for (const [at, sent] of cells.entries()) {
        const read = rows[at + 1]?.slice(1, 3).map((cell) => cell.replaceAll("'", ''));
        // Blanks alone are no answer.
        const kept = sent.map((cell) => (cell.trim() === '' ? '' : cell.replaceAll(/[\0']/g, '')));
        assert.deepEqual(read, kept);
      }
    }),
    { numRuns: 500 },
  );
});

test('a cell that begins as a formula gets an apostrophe and stays as it is otherwise', () => {
  const formulas = [
    '=1+1',
    '+1 555 123',
    '-5.5+1',
    '-a',
    '+5',
    '-',
    '-.5',
    '-5.',
    '--5',
    '-5 ',
    '-5\n',
    '-1e5',
    '-5,5',
    '@SUM(A1)',
    '\t1',
    '\r1',
    ' =1',
    '"=1',
    '\'"=1',
    '＝1',
    '－1',
    '\u200b=1',
    '\ufeff@x',
  ];
  for (const text of formulas) {
    assert.match(text, STARTS);
    assert.equal(defuse(text), `'${text}`);
  }
  assert.equal(defuse('\0=1'), "'=1");
  for (const text of [
    '',
    'a',
    '1-5',
    'a=b',
    'ann@example.com',
    "O'Brien",
    '2024-01-02',
    '5; -3',
    '-5',
    '-5.5',
    '-0',
    '7.25',
  ]) {
    assert.equal(defuse(text), text);
  }
});

test('a formula that would begin where other separators are in use is defused too, and a list is not', () => {
  assert.equal(defuse('x;=1+1'), "x;'=1+1");
  assert.equal(defuse('x\n "@SUM(1)'), 'x\n "\'@SUM(1)');
  assert.equal(defuse("x\t-2+3+cmd|' /C calc'!A0"), "x\t'-2+3+cmd|' /C calc'!A0");
  assert.equal(defuse('x;+HYPERLINK("http://evil.test")'), 'x;\'+HYPERLINK("http://evil.test")');
  for (const text of ['drugs:\n- aspirin (81 mg)\n- insulin', 'a; -5; +3', 'a, =b', 'x == y; z'])
    assert.equal(defuse(text), text);
});

test('hostile cells of a megabyte take no time', () => {
  const started = process.cpuUsage();
  for (const sign of ['=', '-', ' ', ';', ';-', '\n-a', '"', ' \n', '-(', '- ']) {
    defuse(sign.repeat(1_000_000 / sign.length));
    defuse(`;-${sign.repeat(1_000_000 / sign.length)}`);
  }
  assert.ok(process.cpuUsage(started).user < 5_000_000);
});

test('headers are defused and quoted; lines end with CRLF; there is no byte order mark', async () => {
  const csv = await csvOf([['x', 'y']]);
  assert.equal(csv, 'Created At,"\'=Label, ""A""",B,Attachments,Signature\r\n2024-06-05 02:22:00 PM,x,y,,\r\n');
});

test('an answer of megabytes is whole, and leaves in pieces', async () => {
  const limit = 64 * 1024;
  const texts = [limit - 1, limit, limit + 1, 2 * limit + 1].flatMap((length) =>
    ['x', '"', 'ü"'].map((sign) => sign.repeat(length).slice(0, length)),
  );
  const cells = [...texts, `=${'"😀\n'.repeat(limit)}`].map((text): [string, string] => [text, 'after']);
  assert.deepEqual(
    parse(await csvOf(cells))
      .slice(1)
      .map((row) => [row[1], row[2], row.length]),
    cells.map(([text, after]) => [defuse(text), after, 5]),
  );
  const long = writeCsv(COLUMNS, each([submission({ a: '"'.repeat(2_000_000) })]));
  assert.ok(Math.max(...(await Array.fromAsync(long)).map(({ length }) => length)) <= 2 * limit);
});

test('rows leave in pieces of about 64 KB while they are read', async () => {
  let read = 0;
  async function* many() {
    for (; read < 5_000; read += 1) yield submission({ a: 'x'.repeat(100), b: 'y' });
  }
  const sizes = [];
  let ahead = 0;
  for await (const piece of writeCsv(COLUMNS, many())) {
    sizes.push(piece.length);
    ahead = Math.max(ahead, read - sizes.length * 500);
  }
  assert.ok(sizes.length >= 9 && Math.max(...sizes) < 70_000, String(sizes));
  assert.ok(ahead < 500);
});
