import { questionsIn } from './elements.ts';
import { addressAgain, fillingOf } from './filling.ts';
import type { FormPage } from './page-data.ts';

/**
 * Begins the form anew where the back button would show what was sent to whoever has the device next: browsers bring back
 * what was typed, and what was typed but is kept no longer has been sent.
 */
export function beginAnewOnceSent(page: FormPage): void {
  const { form } = page;
  if (questionsIn(form).length === 0) return;
  const { kept } = fillingOf(page);
  // Of what only the customer may read nothing is ever kept.
  const isSent = page.data.sealedTo.length > 0 ? isNotedAsSent : kept.isForgotten;
  window.addEventListener('pageshow', ({ persisted }) => {
    if ((persisted || isComeBackTo()) && isSent()) location.replace(addressAgain(form));
  });
}

/** Notes in the history that the form of this page was sent. */
export function noteSent(): void {
  history.replaceState({ ...history.state, carepostSent: true }, '');
}

function isNotedAsSent(): boolean {
  return (history.state as { carepostSent?: unknown } | null)?.carepostSent === true;
}

function isComeBackTo(): boolean {
  const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return opening?.type === 'back_forward';
}
