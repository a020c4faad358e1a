import type { FormPage } from './page-data.ts';

/**
 * Has the answers of a form encrypted before they are sent, where it says to whom. Until the part is there that does it,
 * nothing can be typed, and the browser never sends such a form by itself.
 */
export function sealInstead(page: FormPage): void {
  if (page.data.sealedTo.length === 0) return;
  page.sendInstead = () => Promise.resolve(null);
  loadSealing(page).catch(() => tellUnready(page));
}

async function loadSealing(page: FormPage): Promise<void> {
  const { sealForm } = await import('./seal-form.ts');
  sealForm(page);
}

function tellUnready({ form, data }: FormPage): void {
  const note = document.createElement('p');
  note.className = 'notes';
  note.textContent = data.sealWords.expiredText ?? '';
  form.before(note);
}
