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
  window.addEventListener('pageshow', ({ persisted }) => {
    if ((persisted || isComeBackTo()) && kept.isForgotten()) location.replace(addressAgain(form));
  });
}

function isComeBackTo(): boolean {
  const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return opening?.type === 'back_forward';
}
