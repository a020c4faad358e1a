import type { Sheet } from '../../model/check/sheet.ts';
import type { RepeatingGroup } from '../../model/form-model.ts';
import { isRecord } from '../../model/normalise.ts';
import { plainPath } from '../field-name.ts';
import { grouped } from './frame.ts';
import { drawHeading } from './heading.ts';
import { attributes, type Html, html } from './html.ts';
import { type Around, controlId, type Place, placeOf } from './place.ts';
import { drawQuestion } from './question.ts';

/** A group of questions with one set of controls for each entry, and buttons for more and fewer of them. */
export function drawGroup(place: Place<RepeatingGroup>): Html {
  const { question, drawing, isAsked, n } = place;
  const entries = entriesOf(question, place.answer);
  const fewest = Math.max(1, question.least);
  const drawn = entries.map((answers, i) => drawEntry(place, answers, i, entries.length > fewest));
  const add = {
    id: controlId(n),
    class: 'quiet',
    name: '_add',
    value: plainPath(place.path),
    // The next page is shown where this one was left, at the entry that is new.
    formaction: `${drawing.view.action}#${entryId(n, entries.length)}`,
    disabled: !isAsked,
  };
  const more = entries.length < question.most;
  const button = html`<button${attributes({ ...add, 'aria-label': `${drawing.say('addEntry')}: ${question.label}` })}>${drawing.say('addEntry')}</button>`;
  return grouped(place, null, html`${drawn}${more && button}`);
}

/** The entries that are shown: those that were filled in, and as many blank ones as are wanted at least. */
export function entriesOf({ least, most }: RepeatingGroup, answer: unknown): Record<string, unknown>[] {
  const list = (Array.isArray(answer) ? answer : [answer]).map((entry) => (isRecord(entry) ? entry : {}));
  const shown = Math.min(most, Math.max(1, least, list.length));
  return Array.from({ length: shown }, (_, i) => list[i] ?? {});
}

function drawEntry(
  { drawing, question, path, isAsked, n }: Place<RepeatingGroup>,
  answers: Record<string, unknown>,
  i: number,
  mayGo: boolean,
): Html {
  const sheet = drawing.filling.entryOf(question, answers);
  const around: Around = {
    path: [...path, i],
    sheet,
    answers,
    isAsked: ({ name }) => isAsked && isAskedIn(sheet, name),
  };
  const drawn = question.items.map((item) => {
    if (item.kind !== 'heading') return drawQuestion(placeOf(drawing, around, item));
    return drawHeading(item, 4, item.showWhen === null || sheet.holds(item.showWhen));
  });
  const title = `${question.label} ${i + 1}`;
  const words = drawing.say('removeEntry');
  const given = {
    class: 'small',
    name: '_remove',
    value: plainPath([...path, i]),
    formaction: `${drawing.view.action}#${entryId(n, Math.max(0, i - 1))}`,
    disabled: !isAsked,
  };
  const remove = html`<button${attributes({ ...given, 'aria-label': `${words}: ${title}` })}>${words}</button>`;
  return html`<fieldset class="entry" id="${entryId(n, i)}"><legend>${title}</legend>${drawn}${mayGo && remove}</fieldset>\n`;
}

function entryId(n: number, i: number): string {
  return `entry-${n}-${i}`;
}

function isAskedIn(sheet: Sheet, name: string): boolean {
  return sheet.filled.get(name)?.isAsked ?? false;
}
