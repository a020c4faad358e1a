import { escapeHtml } from '../../platform/http/pages/plain-page.ts';
import { attributesOf, pictureOf } from './attributes.ts';
import { BalancedWriter } from './balanced-writer.ts';
import { KEPT, SILENT } from './elements.ts';
import { fieldOf, labelsOfFields } from './fields.ts';
import { type Mark, readMarkup } from './markup.ts';
import { readStyles, type Styles } from './style-class.ts';

/** A stretch of the customer's layout, or the place of a question within it. */
export type LayoutPiece = { kind: 'html'; html: string } | { kind: 'field'; name: string };

/**
 * Writes a customer's HTML anew from what only shows something: nothing runs, loads, takes an answer or sends one. The
 * pieces one after the other are balanced; each question has at most one place, and one without is not named.
 */
export function safeLayout(html: string, names: ReadonlySet<string>): LayoutPiece[] {
  const pieces: LayoutPiece[] = [];
  const placed = new Set<string>();
  const writer = new BalancedWriter((written) => append(pieces, written));
  const marks = readMarkup(html);
  const labels = labelsOfFields(marks, names);
  const styles = readStyles(marks);
  let mutedUntil = -1;

  for (let place = 0; place < marks.length; place += 1) {
    const mark = marks[place] as Mark;
    if (mark.kind === 'close') writer.close();
    else if (mark.kind === 'text') {
      if (place > mutedUntil) writer.text(escapeHtml(mark.text));
    } else {
      const field = fieldOf(mark, names);
      if (labels.has(place)) mutedUntil = Math.max(mutedUntil, mark.end);
      if (field !== null) {
        if (!placed.has(field) && writer.makeRoom()) {
          placed.add(field);
          pieces.push({ kind: 'field', name: field });
        }
        place = mark.end;
      } else if (SILENT.has(mark.name)) place = mark.end;
      else if (place <= mutedUntil || !KEPT.has(mark.name)) writer.pass();
      else openElement(writer, mark, styles);
    }
  }
  return pieces;
}

function openElement(
  writer: BalancedWriter,
  { name, attributes }: Extract<Mark, { kind: 'open' }>,
  styles: Styles,
): void {
  if (name !== 'img') return writer.open(name, attributesOf(name, attributes, styles));
  const picture = pictureOf(attributes);
  if (picture !== null) return writer.open('img', picture + attributesOf('img', attributes, styles));
  writer.text(escapeHtml(attributes.alt ?? ''));
  writer.pass();
}

function append(pieces: LayoutPiece[], html: string): void {
  const last = pieces.at(-1);
  if (html === '') return;
  if (last?.kind === 'html') last.html += html;
  else pieces.push({ kind: 'html', html });
}
