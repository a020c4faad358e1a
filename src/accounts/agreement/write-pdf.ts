import { createRequire } from 'node:module';
import PdfDocument from 'pdfkit';
import type { AgreementText } from './text.ts';

const require = createRequire(import.meta.url);
const REGULAR = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const BOLD = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');
const MARGIN = 60;
const INK = '#1a1a1a';
const GREY = '#5f6368';

/** Who signed, when and what: the last page of the document says so. */
export interface Signature {
  signer: string;
  title: string;
  at: Date;
  userId: string;
  /** The SHA-256 of the text as it was read, in hex. */
  textHash: string;
}

/** The agreement as a PDF, with its signature. */
export async function writeAgreementPdf(text: AgreementText, signature: Signature): Promise<Buffer> {
  const doc = new PdfDocument({
    size: 'LETTER',
    margin: MARGIN,
    lang: 'en',
    displayTitle: true,
    info: { Title: text.title, Producer: 'Carepost', Creator: 'Carepost', CreationDate: signature.at },
  });
  doc.registerFont('regular', REGULAR).registerFont('bold', BOLD);
  const chunks: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => void chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  writeText(doc, text);
  writeSignature(doc, signature);
  doc.end();
  return finished;
}

function writeText(doc: PDFKit.PDFDocument, { title, version, notice, sections }: AgreementText): void {
  doc.font('bold').fontSize(20).fillColor(INK).text(title);
  doc.font('regular').fontSize(9).fillColor(GREY).text(`Version ${version}`).moveDown(1).text(notice);
  for (const { heading, paragraphs } of sections) {
    doc.moveDown(1.2).font('bold').fontSize(12).fillColor(INK).text(heading);
    for (const paragraph of paragraphs) doc.moveDown(0.4).font('regular').fontSize(10).text(paragraph, { lineGap: 2 });
  }
}

function writeSignature(doc: PDFKit.PDFDocument, { signer, title, at, userId, textHash }: Signature): void {
  doc.addPage().font('bold').fontSize(14).fillColor(INK).text('Signed');
  const facts: [string, string][] = [
    ['Name', signer],
    ['Title', title],
    ['Time', at.toISOString()],
    ['Signed in as', userId],
    ['SHA-256 of the text', textHash],
  ];
  for (const [name, value] of facts) {
    doc.moveDown(0.8).font('bold').fontSize(9).fillColor(GREY).text(name);
    doc.font('regular').fontSize(11).fillColor(INK).text(value);
  }
  doc.moveDown(1.5).font('regular').fontSize(9).fillColor(GREY);
  doc.text(
    'Signed electronically in Carepost by the person named above, after signing in with a password and a second factor ' +
      'and after the whole text was shown. The act stands in the audit log of the installation.',
  );
}
