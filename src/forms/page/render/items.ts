import type { Item, Section } from '../../model/form-model.ts';
import { drawGroup } from './group.ts';
import { drawHeading, titleOf } from './heading.ts';
import { attributes, type Html, html } from './html.ts';
import { type Around, type Drawing, placeOf } from './place.ts';
import { drawQuestion } from './question.ts';

/** Titles below h1 stop here. */
const DEEPEST_TITLE = 6;

/** Draws what stands on a page, in its order. */
export function drawItem(drawing: Drawing, item: Item, level: number): Html {
  if (item.kind === 'heading') return drawHeading(item, level, drawing.view.isAsked(item));
  if (item.kind === 'section') return drawSection(drawing, item, level);
  const around = aroundForm(drawing);
  return item.kind === 'group'
    ? drawGroup(placeOf(drawing, around, item))
    : drawQuestion(placeOf(drawing, around, item));
}

function drawSection(drawing: Drawing, section: Section, level: number): Html {
  const { id, title, items } = section;
  const isAsked = drawing.view.isAsked(section);
  const given = attributes({ class: 'section', 'data-item': id, hidden: !isAsked });
  const inside = Math.min(DEEPEST_TITLE, title === null ? level : level + 1);
  const heading = title !== null && titleOf(title, level);
  return html`<section${given}>${heading}${items.map((item) => drawItem(drawing, item, inside))}</section>\n`;
}

/** The questions of the form as a whole stand among all of its answers. */
function aroundForm({ view, filling }: Drawing): Around {
  return { path: [], sheet: filling.sheet, answers: view.answers, isAsked: (question) => view.isAsked(question) };
}
