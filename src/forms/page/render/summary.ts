import { attributes, type Html, html } from './html.ts';
import type { Drawing } from './place.ts';

/** All that is wrong, in the order of the page, each leading to its question. */
export function drawProblems({ view, words, controls }: Drawing): Html {
  const order = [...controls.keys()];
  const paths = Object.keys(view.problems)
    .filter((path) => (view.problems[path] ?? []).length > 0)
    .toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  const entries = paths.map((path) => {
    const control = controls.get(path);
    const text = (view.problems[path] ?? []).join(' ');
    if (control === undefined) return html`<li>${text}</li>`;
    return html`<li><a href="#${control.id}">${control.label}: ${text}</a></li>`;
  });
  const given = attributes({ id: 'problems', role: 'alert', tabindex: '-1', hidden: paths.length === 0 });
  if (paths.length === 0) return html`<div${given}></div>`;
  const title = html`<h2>${words.sayOfScript('problemsTitle', paths.length)}</h2>`;
  return html`<div${given}${attributes({ autofocus: true })}>${title}<ul>${entries}</ul></div>`;
}

/** What is said above the questions. */
export function drawNotes({ view }: Drawing): Html | null {
  if (view.notes.length === 0) return null;
  return html`<div class="notes" role="status">${view.notes.map((note) => html`<p>${note}</p>`)}</div>`;
}
