import { noteSent } from './begin-anew.ts';
import { controlsIn, hiddenControl, make } from './elements.ts';
import { base64Of } from './seal-base64.ts';
import type { SaySealing } from './seal-words.ts';

/** What the server may know: how the form was shown, and that somebody sends it. */
const OPEN_CONTROLS = ['_version', '_language', '_once', '_shown', '_pass', '_proof', 'website'];
/** What a page that is shown again brings anew. */
const RENEWED = ['_shown', '_pass'];

interface Sealed {
  sealed: Uint8Array<ArrayBuffer>;
  /** The tokens of the files that go with it. */
  tokens: string[];
}

/** Sends a form to its own address, encrypted: what leads on to the page that thanks, or null where it says why it was not taken. */
export async function postSealed(
  form: HTMLFormElement,
  { sealed, tokens }: Sealed,
  say: SaySealing,
): Promise<(() => void) | null> {
  const body = new FormData();
  for (const { name, value } of controlsIn(form)) if (OPEN_CONTROLS.includes(name)) body.append(name, value);
  // It counts once, whatever becomes of the form: the next try needs another.
  hiddenControl(form, '_proof').value = '';
  body.append('_sealed', await base64Of(new Blob([sealed])));
  body.append('_files', JSON.stringify({ '': tokens }));
  body.append('_go', 'submit');
  try {
    const reply = await fetch(form.action, { method: 'POST', body });
    if (reply.redirected && reply.ok) {
      noteSent();
      return () => location.assign(reply.url);
    }
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    for (const name of RENEWED) renew(form, page, name);
    tell(form, reasonsIn(page) ?? [say('sendAgain')]);
  } catch {
    tell(form, [say('sendAgain')]);
  }
  return null;
}

function renew(form: HTMLFormElement, page: Document, name: string): void {
  const value = page.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value;
  if (value !== undefined && value !== '') hiddenControl(form, name).value = value;
}

/** Why a form was not taken: notes above it, or else what the page says in its place. */
function reasonsIn(page: Document): string[] | null {
  const notes = [...page.querySelectorAll('.notes[role=status] p')];
  const isForm = page.getElementById('carepost-form') !== null;
  const told = isForm ? notes : [...page.querySelectorAll('h1, main p')];
  const texts = told.map(({ textContent }) => (textContent ?? '').trim()).filter((text) => text !== '');
  return texts.length === 0 ? null : texts;
}

function tell(form: HTMLFormElement, texts: readonly string[]): void {
  document.getElementById('not-taken')?.remove();
  const note = make('div', { id: 'not-taken', class: 'notes', role: 'alert', tabindex: '-1' });
  note.append(...texts.map((text) => make('p', {}, text)));
  form.before(note);
  note.focus();
}
