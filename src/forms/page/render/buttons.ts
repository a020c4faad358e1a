import { type Html, html } from './html.ts';
import type { Drawing } from './place.ts';

/** The button that the Enter key presses: a browser takes the first of the form, whatever that does. */
export function drawDefaultButton(isLast: boolean): Html {
  return html`<button class="aside" name="_go" value="${isLast ? 'submit' : 'next'}" tabindex="-1" aria-hidden="true"></button>`;
}

/** On, back, and away for now. */
export function drawButtons({ view, say }: Drawing, isLast: boolean): Html {
  const on = isLast
    ? html`<button name="_go" value="submit">${say('submit')}</button>`
    : html`<button name="_go" value="next">${say('next')}</button>`;
  const back = view.step > 0 && html`<button class="quiet" name="_go" value="back">${say('back')}</button>`;
  const save = view.resumable && html`<button class="quiet" name="_go" value="save">${say('save')}</button>`;
  return html`<div class="buttons">${on}${back}${save}</div>`;
}
