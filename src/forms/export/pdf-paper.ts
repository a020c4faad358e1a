import { setImmediate } from 'node:timers/promises';
import PdfDocument from 'pdfkit';
import { type Parts, partsOf } from './pdf-parts.ts';
import { FACES, type Face, lacksGlyph, openFont, printable } from './pdf-text.ts';

type Structure = ReturnType<PDFKit.PDFDocument['struct']>;

/** A tagged document that is being written from top to bottom. */
export interface Paper {
  doc: PDFKit.PDFDocument;
  /** The structure element that what comes next belongs to. */
  root: Structure;
  /** Whether any sign had to be shown as a box. */
  lacking: boolean;
  /** Whether any text was too long to be shown whole. */
  isCut: boolean;
  /** How many rows of text it takes yet; then each text has one, as long as it is not full. */
  rowsLeft: number;
}

interface Look {
  face: Face;
  size: number;
  colour: string;
  /** The gap above, in points. */
  above: number;
  /** How much must fit below it on the page; else it starts the next one. */
  keep: number;
}

interface ReadImage {
  width: number;
  height: number;
  orientation?: number;
}

interface OpenImage {
  source: Buffer;
  width: number;
  height: number;
}

/** The longest text that a question takes, and a few hundred pages for all: whoever sends line feeds alone gets no more. */
const MOST_ROWS = { answer: 5_000, label: 20, all: 20_000 };
/** So many texts more have a row each: a megabyte of answers that no question asked for is no book of ten thousand pages. */
const MOST_SINGLE_ROWS = 5_000;
const MOST_LINES = 5_000;
/** Lines of one entry that are drawn before other work gets its turn. */
const LINES_IN_A_ROW = 20;
/** Pages that are numbered before other work gets its turn. */
const PAGES_IN_A_ROW = 20;
const MARGIN = 54;
const IMAGE = { width: 240, height: 90 };
const INK = '#1a1a1a';
/** 4.5 to 1 on white at least (WCAG 2.2 1.4.3). */
const GREY = '#5f6368';
const RULE = '#c9ccd1';

const LOOKS = {
  H1: { face: 'bold', size: 18, colour: INK, above: 0, keep: 60 },
  H2: { face: 'bold', size: 13, colour: INK, above: 18, keep: 70 },
  H3: { face: 'bold', size: 11, colour: INK, above: 12, keep: 60 },
  text: { face: 'regular', size: 10, colour: INK, above: 3, keep: 14 },
  note: { face: 'regular', size: 9, colour: GREY, above: 3, keep: 13 },
  remark: { face: 'regular', size: 9, colour: GREY, above: 18, keep: 13 },
  label: { face: 'bold', size: 9, colour: INK, above: 8, keep: 42 },
  answer: { face: 'regular', size: 10, colour: INK, above: 1, keep: 14 },
  blank: { face: 'regular', size: 10, colour: GREY, above: 1, keep: 14 },
  code: { face: 'mono', size: 8.5, colour: INK, above: 1, keep: 13 },
} satisfies Record<string, Look>;

export type Line = [look: keyof typeof LOOKS, text: string];

/** An empty document. The same words and the same time make the same bytes. */
export function openPaper(about: { title: string; subject: string; madeAt: Date; compress: boolean }): Paper {
  const doc = new PdfDocument({
    size: 'LETTER',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + 14 },
    pdfVersion: '1.7',
    // The types know PDF/A only.
    subset: 'PDF/UA' as string as PDFKit.Mixins.PDFSubsets,
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    bufferPages: true,
    compress: about.compress,
    info: {
      Title: about.title,
      Subject: about.subject,
      Creator: 'Carepost',
      Producer: 'Carepost',
      CreationDate: about.madeAt,
      ModDate: about.madeAt,
    },
  });
  // It takes fonts that are open already as well; the types do not know.
  for (const face of FACES) doc.registerFont(face, openFont(face) as unknown as Buffer);
  escapeMetadata(doc);
  const root = doc.struct('Document', { title: about.title });
  doc.addStructure(root);
  return { doc, root, lacking: false, isCut: false, rowsLeft: MOST_ROWS.all };
}

/** A heading of level 1 to 6; from the third on they look alike. */
export function writeHeading(paper: Paper, level: number, text: string): void {
  const look = level === 1 ? 'H1' : level === 2 ? 'H2' : 'H3';
  makeRoom(paper, look, text);
  paper.root.add(write(paper, `H${Math.min(level, 6)}`, look, text));
}

/** A paragraph. */
export function writeParagraph(paper: Paper, look: Line[0], text: string): void {
  makeRoom(paper, look, text);
  paper.root.add(write(paper, 'P', look, text));
}

/** A list whose entries are a label and what belongs to it. */
export function openList(paper: Paper): Structure {
  const list = paper.doc.struct('L');
  paper.root.add(list);
  return list;
}

/** An entry of a list: its label, and below it the lines that belong to it. */
export async function writeEntry(paper: Paper, list: Structure, name: string, lines: Line[]): Promise<void> {
  const named = takeParts(paper, name, MOST_ROWS.label);
  const label = named.parts.join('\n') + (named.isCut ? '…' : '');
  makeRoom(paper, 'label', label);
  const entry = paper.doc.struct('LI');
  list.add(entry);
  entry.add(write(paper, 'Lbl', 'label', label));
  const body = paper.doc.struct('LBody');
  entry.add(body);
  for (const [at, [look, text]] of lines.slice(0, MOST_LINES).entries()) {
    const { parts, isCut } = takeParts(paper, text, MOST_ROWS.answer);
    for (const part of parts) {
      body.add(write(paper, 'P', look, part));
      // Pages of text take some milliseconds each, in which nobody else is served.
      if (part.length > 200 || parts.length > 1 || at % LINES_IN_A_ROW === LINES_IN_A_ROW - 1) await setImmediate();
    }
    if (isCut) body.add(write(paper, 'P', 'note', 'Shortened here.'));
  }
  if (lines.length > MOST_LINES) {
    paper.isCut = true;
    body.add(write(paper, 'P', 'note', 'Shortened here.'));
  }
  entry.end();
}

/** Whether more answers would make more pages than anybody reads. */
export function isFull({ rowsLeft }: Paper): boolean {
  return rowsLeft <= -MOST_SINGLE_ROWS;
}

/** Says that what comes next of the answers is left out. */
export function leaveOutTheRest(paper: Paper): void {
  paper.isCut = true;
  writeParagraph(paper, 'note', 'The answers that follow are left out here.');
}

/** An image with words for those who do not see it. False where the bytes are none that a page can show. */
export function writeImage(paper: Paper, bytes: Buffer, alt: string): boolean {
  const { doc } = paper;
  const opened = openImage(doc, bytes);
  if (opened === null) return false;
  if (doc.y + IMAGE.height + 8 > doc.page.maxY()) doc.addPage();
  const top = doc.y + 4;
  const scale = Math.min(IMAGE.width / opened.width, IMAGE.height / opened.height);
  const draw = () => void doc.image(opened.source, MARGIN, top, { fit: [IMAGE.width, IMAGE.height] });
  paper.root.add(doc.struct('Figure', { alt }, draw));
  doc.x = MARGIN;
  doc.y = top + opened.height * scale + 4;
  return true;
}

/** Numbers the pages and ends the document, unless somebody destroys it before. */
export async function closePaper({ doc, root }: Paper, footer: string): Promise<void> {
  root.end();
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    if (page % PAGES_IN_A_ROW === 0) await setImmediate();
    if (doc.destroyed) return;
    doc.switchToPage(page);
    // Below the margin pdfkit would start a page of its own.
    doc.page.margins.bottom = 0;
    const y = doc.page.height - MARGIN;
    const width = doc.page.width - 2 * MARGIN;
    doc.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] });
    doc
      .moveTo(MARGIN, y - 6)
      .lineTo(MARGIN + width, y - 6)
      .lineWidth(0.5)
      .stroke(RULE);
    doc.font('regular').fontSize(8).fillColor(GREY);
    doc.text(footer, MARGIN, y, { width: width - 90, height: 12, lineBreak: false, ellipsis: true });
    doc.text(`Page ${page + 1} of ${count}`, MARGIN, y, { width, align: 'right', lineBreak: true });
    doc.endMarkedContent();
  }
  doc.end();
}

function takeParts(paper: Paper, text: string, most: number): Parts {
  const taken = partsOf(text, Math.max(1, Math.min(most, paper.rowsLeft)));
  paper.rowsLeft -= taken.rows;
  paper.isCut ||= taken.isCut;
  return taken;
}

function makeRoom({ doc }: Paper, name: Line[0], text: string): void {
  const look = LOOKS[name];
  doc.font(look.face).fontSize(look.size);
  const own = doc.heightOfString(printable(text).slice(0, 400));
  if (doc.y > MARGIN && doc.y + look.above + own + look.keep > doc.page.maxY()) doc.addPage();
}

function write(paper: Paper, tag: string, name: Line[0], text: string): Structure {
  const { doc } = paper;
  const look = LOOKS[name];
  const shown = printable(text);
  const lacking = lacksGlyph(look.face, shown);
  paper.lacking ||= lacking;
  const draw = () => {
    if (doc.y > MARGIN) doc.y += look.above;
    doc.font(look.face).fontSize(look.size).fillColor(look.colour);
    doc.text(shown, MARGIN, doc.y, { width: doc.page.width - 2 * MARGIN, lineGap: 1.5 });
  };
  return doc.struct(tag, lacking ? { actual: text } : {}, draw);
}

/** pdfkit writes the title into XML as it is, so that a `<` in it would break what says that this is PDF/UA. */
function escapeMetadata(doc: PDFKit.PDFDocument): void {
  const endMetadata = doc.endMetadata.bind(doc);
  doc.endMetadata = () => {
    doc.info = { ...doc.info, Title: escapeXml(doc.info.Title), Subject: escapeXml(doc.info.Subject) };
    endMetadata();
  };
}

function escapeXml(text = ''): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function openImage(doc: PDFKit.PDFDocument, bytes: Buffer): OpenImage | null {
  try {
    // It is missing from the types only.
    const image = (doc as unknown as { openImage(bytes: Buffer): ReadImage }).openImage(bytes);
    const { width, height, orientation = 1 } = image;
    // Exif: from 5 on the picture lies on its side.
    const upright = orientation > 4 ? { width: height, height: width } : { width, height };
    return { source: image as unknown as Buffer, ...upright };
  } catch {
    return null;
  }
}
