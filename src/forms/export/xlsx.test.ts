import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { type Columns, columnsOf } from './columns.ts';
import type { ExportedSubmission } from './exported-submission.ts';
import { each, form, page, question, submission, whole } from './form.examples.ts';
import { writeXlsx } from './xlsx.ts';

const MODEL = form(page(null, [question('text', 'a', '=Label <A> & "B"'), question('text', 'b', 'B')]));
const COLUMNS = columnsOf([{ version: 1, model: MODEL }]);

/** The files of an archive by way of its directory, each checked against it. */
function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = zip.length - 22;
  assert.equal(zip.readUInt32LE(end), 0x06054b50);
  let at = zip.readUInt32LE(end + 16);
  assert.equal(at + zip.readUInt32LE(end + 12), end);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    assert.equal(zip.readUInt32LE(at), 0x02014b50);
    // Excel refuses packages that need more than 2.0.
    assert.equal(zip.readUInt16LE(at + 6), 20);
    const [crc, packed, size] = [16, 20, 24].map((field) => zip.readUInt32LE(at + field));
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    assert.equal(zip.readUInt32LE(local), 0x04034b50);
    assert.equal(zip.readUInt16LE(local + 4), 20);
    assert.equal(zip.toString('utf8', local + 30, local + 30 + nameLength), name);
    const start = local + 30 + nameLength;
    const content = inflateRawSync(zip.subarray(start, start + (packed ?? 0)));
    assert.deepEqual([crc, size], [crc32(content), content.length]);
    files.set(name, content.toString());
    at += 46 + nameLength;
  }
  return files;
}

function unescape(text: string): string {
  const plain = text.replace(/_x([0-9A-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** The cells of a sheet by their names. It accepts nothing but what a sheet of text has. */
function cellsIn(sheet: string): Record<string, string> {
  const data = /<sheetData>(.*)<\/sheetData><\/worksheet>$/s.exec(sheet)?.[1] ?? assert.fail('no data');
  const cells: Record<string, string> = {};
  for (const [, number, row = ''] of data.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)) {
    const rest = row.replace(
      /<c r="([A-Z]+\d+)" s="[12]" t="inlineStr"><is><t xml:space="preserve">([^<]*)<\/t><\/is><\/c>/g,
      (_, name: string, text: string) => {
        assert.ok(name.endsWith(number ?? '?'));
        assert.doesNotMatch(text.replaceAll(/&(?:lt|gt|amp);/g, ''), /[&>\0-\x08\x0b-\x1f\ufffe\uffff]/);
        cells[name] = unescape(text);
        return '';
      },
    );
    assert.equal(rest, '');
  }
  assert.equal(data.replaceAll(/<row .*?<\/row>/gs, ''), '');
  return cells;
}

async function sheetsOf(
  columns: Columns,
  sent: ExportedSubmission[],
  mostRows = 1_000,
): Promise<Record<string, string>[]> {
  const files = unzip(await whole(writeXlsx(columns, each(sent), { mostRows })));
  return [...files].filter(([name]) => name.startsWith('xl/worksheets/')).map(([, xml]) => cellsIn(xml));
}

test('a workbook has the parts that Excel asks for, each named where it must be', async () => {
  const files = unzip(await whole(writeXlsx(COLUMNS, each([submission({ a: 'x' })]))));
  assert.deepEqual(
    [...files.keys()],
    [
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/styles.xml',
      'xl/worksheets/sheet1.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/workbook.xml',
    ],
  );
  assert.match(files.get('xl/workbook.xml') ?? '', /<sheet name="Submissions" sheetId="1" r:id="rId1"\/>/);
  assert.match(files.get('xl/_rels/workbook.xml.rels') ?? '', /Id="rId1" [^>]* Target="worksheets\/sheet1.xml"/);
  const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
  assert.match(sheet, /<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"\/>/);
  assert.match(sheet, /<c r="A1" s="1"/);
  assert.doesNotMatch(sheet, /<f>/);
});

test('cells hold what was answered, and formulas stay text', async () => {
  const [cells] = await sheetsOf(COLUMNS, [submission({ a: '=1+1', b: '_x000D_ <&>\r\nü😀' }), submission({ b: 'z' })]);
  assert.deepEqual(cells, {
    A1: 'Created At',
    B1: '=Label <A> & "B"',
    C1: 'B',
    D1: 'Attachments',
    E1: 'Signature',
    A2: '2024-06-05 02:22:00 PM',
    B2: '=1+1',
    C2: '_x000D_ <&>\nü😀',
    A3: '2024-06-05 02:22:00 PM',
    C3: 'z',
  });
});

test('any text comes back but for what XML cannot hold', async () => {
  const pieces = fc.constantFrom(
    '&',
    '<',
    '>',
    '&lt;',
    ']]>',
    '_x0041_',
    '_x005F_',
    '_',
    '\0',
    '\x1f',
    '\r',
    '\n',
    '\ufffe',
    '\ud800',
    'a',
    '😀',
  );
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces).map((list) => list.join('')),
  );
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const [cells] = await sheetsOf(COLUMNS, [submission({ a: text })]);
      const kept = text.replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replaceAll(/\r\n?/g, '\n');
      assert.equal(cells?.B2 ?? '', text.trim() === '' ? '' : kept.toWellFormed());
    }),
    { numRuns: 100 },
  );
});

const note = (length: number) => `… (shortened by Carepost: ${length} characters in all, which Excel cannot hold)`;
const told = async (text: string) => (await sheetsOf(COLUMNS, [submission({ a: text })]))[0]?.B2 ?? '';

test('a text longer than Excel takes is shortened, and says so', async () => {
  for (const text of ['x'.repeat(32_766), 'x'.repeat(32_767)]) assert.equal(await told(text), text);
  for (const length of [32_768, 65_534, 65_535, 1_000_000]) {
    assert.equal(await told('x'.repeat(length)), 'x'.repeat(32_767 - note(length).length) + note(length));
  }
  assert.equal(await told('\r\n'.repeat(32_766) + 'x\0'), '\n'.repeat(32_766) + 'x', 'as it stands in the cell');
  assert.equal((await told('\0'.repeat(100_000))).trim(), note(100_000));
  const faces = await told('😀'.repeat(20_000));
  assert.ok(faces.isWellFormed() && faces.length <= 32_767 && faces.endsWith(note(40_000)));
});

function asking(count: number): Columns {
  const questions = Array.from({ length: count }, (_, n) => question('text', `q${n}`, 'Q'));
  return columnsOf([{ version: 1, model: form(page(null, questions)) }], { otherAnswers: true, amended: true });
}

test('more columns than Excel takes are none: what has no room stands among the other answers', async () => {
  const answers = Object.fromEntries(Array.from({ length: 16_381 }, (_, n) => [`q${n}`, `a${n}`]));
  const sent = submission(answers, { amendedAt: new Date(0) });
  const [narrow] = await sheetsOf(asking(16_379), [{ ...sent, answers: { q16378: 'last' } }]);
  assert.deepEqual([narrow?.XEZ2, narrow?.XFB2, narrow?.XFD1], ['last', undefined, 'Amended At']);
  const [cells] = await sheetsOf(asking(16_381), [sent]);
  assert.deepEqual([cells?.XEZ2, cells?.XFC1, cells?.XFD1], ['a16378', 'Other answers', 'Amended At']);
  assert.deepEqual(JSON.parse(cells?.XFC2 ?? ''), { q16379: 'a16379', q16380: 'a16380' });
});

test('more rows than a sheet holds go on a further one, with its own header', async () => {
  const sent = Array.from({ length: 7 }, (_, at) => submission({ a: String(at) }));
  const sheets = await sheetsOf(COLUMNS, sent, 3);
  assert.deepEqual(
    sheets.map((cells) => [cells.C1, cells.B2, cells.B3, cells.B4]),
    [
      ['B', '0', '1', '2'],
      ['B', '3', '4', '5'],
      ['B', '6', undefined, undefined],
    ],
  );
  assert.equal((await sheetsOf(COLUMNS, sent.slice(0, 6), 3)).length, 2);
  assert.equal((await sheetsOf(COLUMNS, [], 3)).length, 1);
});

test('columns are named beyond Z', async () => {
  const many = Array.from({ length: 710 }, (_, at) => question('text', `q${at}`, `Q${at}`));
  const [cells] = await sheetsOf(columnsOf([{ version: 1, model: form(page(null, many)) }]), []);
  assert.deepEqual([cells?.Z1, cells?.AA1, cells?.ZZ1, cells?.AAA1], ['Q24', 'Q25', 'Q700', 'Q701']);
});

test('rows are read as the workbook is taken, not before', async () => {
  let read = 0;
  async function* many() {
    // Texts that do not compress, so that bytes leave at the pace of the rows.
    for (; read < 20_000; read += 1) yield submission({ a: crypto.randomUUID().repeat(3), b: crypto.randomUUID() });
  }
  const pieces = writeXlsx(COLUMNS, many())[Symbol.asyncIterator]();
  for (let count = 0; count < 12; count += 1) await pieces.next();
  assert.ok(read < 10_000, String(read));
  await pieces.return();
});

async function* broken() {
  yield submission({ a: 'x' });
  throw new Error('lost the database');
}

test('a failure while reading reaches the taker, and the source is closed when the taker leaves', async () => {
  await assert.rejects(whole(writeXlsx(COLUMNS, broken())), /lost the database/);
  let closed = false;
  async function* endless() {
    try {
      for (;;) yield submission({ a: 'x' });
    } finally {
      closed = true;
    }
  }
  for await (const piece of writeXlsx(COLUMNS, endless())) if (piece.length > 1_000) break;
  assert.ok(closed);
});
