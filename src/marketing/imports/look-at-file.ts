import { armed } from '../../platform/csv.ts';
import { AppError } from '../../platform/errors.ts';
import { columnsByContent, columnsByHeader } from './columns.ts';
import type { FileForm, ImportSettings } from './import.ts';
import { decodeCells, type Encoding, EncodingGuess, readByteOrderMark, textOf, unitOf } from './reading/encoding.ts';
import { delimiterIn, firstRows, isHeader, newlineIn } from './reading/sniff.ts';

const HEAD = 2 ** 20;
/** The line with which spreadsheets are told what parts the cells of those that follow. */
const SAYS_DELIMITER = /^"?sep=([,;\t|])"?(\r\n|\r|\n)/i;

/** What a file turned out to be, and where its first row of people begins. */
export interface Looked {
  form: FileForm;
  bytesDone: number;
  linesDone: number;
}

/** Looks at all of a file once and tells how it is to be read: as it was asked for, else as the file itself says. */
export async function lookAtFile(wanted: ImportSettings, pieces: AsyncIterable<Buffer>): Promise<Looked> {
  const guess = new EncodingGuess();
  const heads: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    if (length < HEAD) heads.push(piece);
    length += piece.length;
    guess.look(piece);
  }
  const bytes = Buffer.concat(heads);
  const mark = readByteOrderMark(bytes);
  const encoding = wanted.encoding ?? mark?.encoding ?? guess.encoding;
  const start = mark?.encoding === encoding ? mark.length : 0;
  return lookAtHead(wanted, { bytes: bytes.subarray(start), encoding, start, isWhole: length <= HEAD });
}

interface Head {
  bytes: Buffer;
  encoding: Encoding;
  start: number;
  isWhole: boolean;
}

function lookAtHead(wanted: ImportSettings, { bytes, encoding, start, isWhole }: Head): Looked {
  const unit = unitOf(encoding);
  const text = textOf(bytes.subarray(0, bytes.length - (bytes.length % unit)), encoding);
  const said = SAYS_DELIMITER.exec(text);
  const head = text.slice(said?.[0].length ?? 0);
  const begins = { bytesDone: start + (text.length - head.length) * unit, linesDone: said === null ? 0 : 1 };
  const newline = newlineIn(head);
  const delimiter = wanted.delimiter ?? said?.[1] ?? delimiterIn(head, newline, isWhole);
  const form = { encoding, newline, delimiter };
  const [first] = firstRows(head, form, isWhole, 1);
  const cells = first === undefined ? null : decodeCells(first.cells, first.text, encoding);
  if (first === undefined || cells === null)
    throw new AppError('unprocessable', 'The file has no row that can be read');
  if (wanted.hasHeader ?? isHeader(cells)) {
    const columns = columnsByHeader(cells.map(armed), wanted.mapping);
    const bytesDone = begins.bytesDone + first.end * unit;
    return { form: { ...form, columns }, bytesDone, linesDone: begins.linesDone + first.nextLine - 1 };
  }
  return { form: { ...form, columns: columnsByContent(cells, wanted.mapping) }, ...begins };
}
