import { type Columns, cellsOf } from './columns.ts';
import type { ExportedSubmission } from './exported-submission.ts';
import { writeZip, type ZipEntry } from './zip.ts';

const PIECE_LENGTH = 64 * 1024;
/** What Excel takes: rows below the header, characters of a cell. */
const MOST_ROWS = 1_048_575;
const MOST_CHARACTERS = 32_767;
/** No more of a text is looked at: an answer may have megabytes. */
const MOST_READ = 2 * MOST_CHARACTERS;
/** A sheet ends here too, since a file of an archive ends at 4 GB; no spreadsheet opens half of that. */
const MOST_SHEET_BYTES = 1_000_000_000;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

// Sheets have the default type of `.xml`, so this can be written first, before anybody knows how many there will be.
const CONTENT_TYPES =
  `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Default Extension="xml" ContentType="${CONTENT}.worksheet+xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/></Types>`;
const PACKAGE_RELATIONS =
  `${XML}<Relationships xmlns="${RELATIONS}">` +
  `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
/** Style 1 is bold, style 2 plain; format 49 is text, so that nothing becomes a number or a formula when it is edited. */
const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/>' +
  '</fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/>' +
  '<bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>' +
  '</cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
const SHEET_HEAD =
  `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ` +
  'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultColWidth="24" ' +
  'defaultRowHeight="15"/><sheetData>';
const SHEET_TAIL = '</sheetData></worksheet>';

const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
/** The first half of a character that was cut in two. */
const HALF = /[\ud800-\udbff]$/;
const SPECIAL = /[&<>]|_(?=x[0-9a-f]{4}_)/gi;
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', _: '_x005F_' };

/**
 * The table as an Excel workbook, made as it is read: text cells only, never a formula; the first row is bold and stays
 * in view. What is more than a sheet holds goes on a further one.
 */
export function writeXlsx(
  columns: Columns,
  submissions: AsyncIterable<ExportedSubmission>,
  limits: { mostRows?: number } = {},
): AsyncGenerator<Buffer, void, undefined> {
  return writeZip(partsOf(columns, submissions, limits.mostRows ?? MOST_ROWS));
}

async function* partsOf(
  columns: Columns,
  submissions: AsyncIterable<ExportedSubmission>,
  mostRows: number,
): AsyncGenerator<ZipEntry, void, undefined> {
  yield part('[Content_Types].xml', CONTENT_TYPES);
  yield part('_rels/.rels', PACKAGE_RELATIONS);
  yield part('xl/styles.xml', STYLES);
  const names = columns.headers.map((_, at) => columnName(at));
  const source = submissions[Symbol.asyncIterator]();
  const state = { next: await source.next(), sheets: 0 };
  try {
    do {
      state.sheets += 1;
      yield { name: `xl/worksheets/sheet${state.sheets}.xml`, content: writeSheet() };
    } while (!state.next.done);
  } finally {
    await source.return?.();
  }
  yield part('xl/_rels/workbook.xml.rels', workbookRelations(state.sheets));
  yield part('xl/workbook.xml', workbook(state.sheets));

  async function* writeSheet(): AsyncGenerator<Buffer, void, undefined> {
    let piece = SHEET_HEAD + rowOf(names, columns.headers, 1, 1);
    let bytes = 0;
    for (let row = 2; !state.next.done && row <= mostRows + 1 && bytes < MOST_SHEET_BYTES; row += 1) {
      piece += rowOf(names, cellsOf(columns, state.next.value), row, 2);
      state.next = await source.next();
      if (piece.length < PIECE_LENGTH) continue;
      const written = Buffer.from(piece);
      bytes += written.length;
      piece = '';
      yield written;
    }
    yield Buffer.from(piece + SHEET_TAIL);
  }
}

function part(name: string, xml: string): ZipEntry {
  return { name, content: [Buffer.from(xml)] };
}

function rowOf(names: string[], cells: string[], row: number, style: number): string {
  let xml = `<row r="${row}">`;
  for (const [at, name] of names.entries()) {
    const text = cellText(cells[at] ?? '');
    if (text === '') continue;
    xml += `<c r="${name}${row}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
  }
  return `${xml}</row>`;
}

/** XML 1.0 2.2: some characters cannot be written at all. In Excel `_x000D_` would be read as one that was escaped. */
function cellText(text: string): string {
  const read = text.slice(0, MOST_READ);
  const plain = read.replace(FORBIDDEN, '').replace(/\r\n?/g, '\n');
  const fits = read.length === text.length && plain.length <= MOST_CHARACTERS;
  return (fits ? plain : shortened(plain, text.length)).replace(SPECIAL, (sign) => ESCAPES[sign] ?? '');
}

function shortened(plain: string, length: number): string {
  const note = `… (shortened by Carepost: ${length} characters in all, which Excel cannot hold)`;
  return plain.slice(0, MOST_CHARACTERS - note.length).replace(HALF, '') + note;
}

/** A, B … Z, AA, AB … */
function columnName(at: number): string {
  const before = at < 26 ? '' : columnName(Math.floor(at / 26) - 1);
  return before + String.fromCharCode(65 + (at % 26));
}

function workbook(sheets: number): string {
  const list = numbers(sheets).map(
    (n) => `<sheet name="Submissions${n > 1 ? ` ${n}` : ''}" sheetId="${n}" r:id="rId${n}"/>`,
  );
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${list.join('')}</sheets></workbook>`;
}

function workbookRelations(sheets: number): string {
  const list = numbers(sheets).map(
    (n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  );
  const styles = `<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/>`;
  return `${XML}<Relationships xmlns="${RELATIONS}">${list.join('')}${styles}</Relationships>`;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}
