import type { Heading } from '../../model/form-model.ts';
import { attributes, Html, html } from './html.ts';

const LONGEST_TITLE = 120;

/** Text between questions: a title where it is short, else a paragraph. */
export function drawHeading({ id, text }: Heading, level: number, isAsked: boolean): Html {
  const given = attributes({ class: 'heading', 'data-item': id, hidden: !isAsked });
  const isTitle = text.length <= LONGEST_TITLE && !text.includes('\n') && text.trim() !== '';
  return html`<div${given}>${isTitle ? titleOf(text, level) : html`<p>${text}</p>`}</div>\n`;
}

/** A title of a level. */
export function titleOf(text: string, level: number): Html {
  const tag = new Html(`h${level}`);
  return html`<${tag}>${text}</${tag}>`;
}
