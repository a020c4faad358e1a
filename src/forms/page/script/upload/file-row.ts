import { announce, make, tellChange } from '../elements.ts';
import type { FormPage } from '../page-data.ts';
import { keepFile } from './kept-files.ts';
import type { sendFile, Watching } from './send-file.ts';

/** A file that was chosen for the question of a path, and the list that it is shown in. */
export interface Chosen {
  list: HTMLElement;
  path: string;
  file: File;
}

/** Sends a file and shows how far it is. The form is not sent before it has arrived, been given up or been sent anew. */
export function sendInRow(page: FormPage, { list, path, file }: Chosen, send: typeof sendFile): void {
  const { form, data, say } = page;
  const row = new Row(page, file.name);
  giveUpFailed(list, file.name);
  list.append(row.element);
  const wait = (): Promise<boolean> => {
    announce(form, say('waitingForFiles'));
    return sending;
  };
  page.waits.add(wait);
  const sending = new Promise<boolean>((resolve) => {
    const watching: Watching = {
      progress: (percent) => row.progress(percent),
      paused: () => row.tell(say('uploadPaused')),
      arrived: (token) => {
        keepFile(form, path, token);
        row.keep(token);
        tellChange(form);
        resolve(true);
      },
      failed: () => {
        row.fail(say('uploadFailed'));
        resolve(false);
      },
    };
    const giveUp = send(file, { url: data.uploadUrl, path, gate: shownAtGate(form) }, watching);
    row.cancel.addEventListener('click', () => {
      giveUp();
      page.waits.delete(wait);
      removeRow(form, row.element);
      resolve(true);
    });
  });
  void sending.then((isDone) => isDone && page.waits.delete(wait));
}

/** What the page has that opens the form: what it got for the password, and the link that it was opened by. */
function shownAtGate(form: HTMLFormElement): Record<string, string> {
  const pass = form.querySelector<HTMLInputElement>('input[name=_pass]')?.value;
  const [, link] = /\/l\/([^/]+)$/.exec(new URL(form.action).pathname) ?? [];
  return { ...(pass && { pass }), ...(link !== undefined && { link: decodeURIComponent(link) }) };
}

/** A file that could not be sent holds the form back until it is chosen again or given up. */
function giveUpFailed(list: Element, name: string): void {
  const failed = [...list.querySelectorAll<HTMLElement>('li[data-failed]')];
  for (const row of failed) if (row.dataset['failed'] === name) row.querySelector('button')?.click();
}

/** Whoever pressed a button in the row goes on where the next file is chosen. */
export function removeRow(form: HTMLFormElement, row: Element): void {
  const input = row.closest('[data-path]')?.querySelector<HTMLInputElement>('input[type=file]');
  row.remove();
  input?.focus();
  tellChange(form);
}

class Row {
  readonly cancel: HTMLButtonElement;
  readonly bar: HTMLProgressElement;
  readonly element: HTMLElement;
  readonly #state = make('span', { class: 'upload-state' });
  readonly #page: FormPage;
  readonly #name: string;

  constructor(page: FormPage, name: string) {
    this.#page = page;
    this.#name = name;
    this.bar = make('progress', { max: '100', value: '0', 'aria-label': name });
    const words = page.say('cancelUpload');
    this.cancel = make('button', { type: 'button', class: 'small', 'aria-label': `${words}: ${name}` }, words);
    this.element = make('li', {}, make('span', { class: 'file-name' }, name), this.bar, this.#state, this.cancel);
  }

  progress(percent: number): void {
    this.bar.value = percent;
    this.#state.textContent = this.#page.say('uploading', percent);
  }

  tell(text: string): void {
    this.#state.textContent = text;
    announce(this.#page.form, text);
  }

  fail(text: string): void {
    this.bar.remove();
    this.element.dataset['failed'] = this.#name;
    this.tell(text);
  }

  /** From now on the file stands there as the server lists it. */
  keep(token: string): void {
    const { form, say } = this.#page;
    const words = say('removeFile');
    const drop = { class: 'small', name: '_drop', value: token, 'aria-label': `${words}: ${this.#name}` };
    this.bar.remove();
    this.cancel.replaceWith(make('button', drop, words));
    this.#state.textContent = '';
    announce(form, say('uploaded'));
  }
}
