import type { EmbedMessage } from '../../embed/messages.ts';
import { stepsOf } from '../steps.ts';
import { currentAnswers } from './current-answers.ts';
import { hiddenControl } from './elements.ts';
import type { FormPage } from './page-data.ts';

/** Tells the page around how tall this one is, whenever that changes. */
export function tellSize(): void {
  if (!isFramed()) return;
  tellHeight();
  if (typeof ResizeObserver === 'function') new ResizeObserver(tellHeight).observe(document.documentElement);
  else setInterval(tellHeight, 500);
}

function tellHeight(): void {
  send({ carepost: 'size', height: document.documentElement.offsetHeight });
}

/** Tells the page around which step somebody has come to. */
export function tellStep(page: FormPage): void {
  if (!isFramed()) return;
  const { formId, model, today } = page.data;
  const steps = stepsOf(model, currentAnswers(page), today);
  const step = Math.max(0, steps.indexOf(Number(hiddenControl(page.form, '_step').value)));
  send({ carepost: 'step', form: formId, step, steps: steps.length });
}

/** Tells the page around that the form was sent. */
export function tellSubmitted(form: string): void {
  if (isFramed()) send({ carepost: 'submitted', form });
}

function isFramed(): boolean {
  return window.parent !== window;
}

/** Who may frame the page is for the browser to enforce, and nothing that is told is secret. */
function send(message: EmbedMessage): void {
  window.parent.postMessage(message, '*');
}
