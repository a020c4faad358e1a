import type { Item, Page, RepeatingGroup } from '../../model/form-model.ts';
import type { PageView } from '../view.ts';
import { entriesOf } from './group.ts';
import { drawHeading, titleOf } from './heading.ts';
import { type Content, type Html, html } from './html.ts';
import { customerCss, inLayout, LAYOUT_CLASS } from './layout.ts';
import { type Around, Drawing, type Place, placeOf } from './place.ts';
import { drawAnswer, drawGivenSignature } from './read-only-answer.ts';
import { documentOf } from './shell.ts';
import { drawNotes } from './summary.ts';

/** The whole form as it looked, filled in and with nothing to change, as a document of its own. */
export function renderReadOnly(view: PageView, nonce: string): string {
  const { language, title } = view;
  return documentOf({ language, nonce, title, css: customerCss(view) }, drawReadOnly(view));
}

/** The same as a part of a page. */
export function drawReadOnly(view: PageView): Html {
  const drawing = new Drawing({ ...view, step: 0 });
  const pages = view.model.pages.filter((page) => view.isAsked(page));
  const drawn = pages.map((page, i) => drawPage(drawing, page, i));
  const { signing } = view;
  const signature = signing !== null && [
    titleOf(drawing.say('signature'), 2),
    signing.label !== '' && html`<p class="terms">${signing.label}</p>`,
    drawGivenSignature(drawing, signing.given),
  ];
  const description = view.description !== null && html`<p class="description">${view.description}</p>`;
  return html`<header><h1>${view.title}</h1>${description}</header>${drawNotes(drawing)}
<div class="card"><div class="${LAYOUT_CLASS}">${drawn}${signature}</div></div>`;
}

function drawPage(drawing: Drawing, page: Page, place: number): Content {
  const { view } = drawing;
  const hasTitle = page.title !== null && page.title !== view.title;
  const level = hasTitle ? 3 : 2;
  const items = inLayout({ ...view, step: place }, page, (item) => drawItem(drawing, item, level));
  return [hasTitle && titleOf(page.title ?? '', 2), items];
}

function drawItem(drawing: Drawing, item: Item, level: number): Html {
  const { view, filling } = drawing;
  if (!view.isAsked(item)) return html``;
  if (item.kind === 'heading') return drawHeading(item, level, true);
  if (item.kind === 'section') {
    const heading = item.title !== null && titleOf(item.title, level);
    const inside = Math.min(6, heading === false ? level : level + 1);
    return html`<section class="section">${heading}${item.items.map((each) => drawItem(drawing, each, inside))}</section>`;
  }
  const isAsked = (each: Item): boolean => view.isAsked(each);
  const around: Around = { path: [], sheet: filling.sheet, answers: view.answers, isAsked };
  return item.kind === 'group'
    ? drawEntries(placeOf(drawing, around, item))
    : drawFilled(placeOf(drawing, around, item));
}

function drawFilled(place: Place): Html {
  if (place.question.kind === 'hidden') return html``;
  return html`<div class="question"><p class="label">${place.question.label}</p>${drawAnswer(place)}</div>\n`;
}

function drawEntries({ drawing, question, path, answer }: Place<RepeatingGroup>): Html {
  const { filling, say } = drawing;
  const given = Array.isArray(answer) && answer.length > 0 ? entriesOf({ ...question, least: 0 }, answer) : [];
  const entries = given.map((answers, i) => {
    const sheet = filling.entryOf(question, answers);
    const around: Around = {
      path: [...path, i],
      sheet,
      answers,
      isAsked: ({ name }) => sheet.filled.get(name)?.isAsked ?? false,
    };
    const drawn = question.items.map((item) => {
      if (item.kind === 'heading') return drawHeading(item, 4, item.showWhen === null || sheet.holds(item.showWhen));
      return around.isAsked(item) && drawFilled(placeOf(drawing, around, item));
    });
    return html`<div class="entry"><p class="label">${question.label} ${i + 1}</p>${drawn}</div>`;
  });
  const none = entries.length === 0 && html`<p class="answer none">${say('notAnswered')}</p>`;
  return html`<div class="question"><p class="label">${question.label}</p>${none}${entries}</div>\n`;
}
