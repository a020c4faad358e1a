/** A control of the form that has a value. */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export type Button = HTMLButtonElement | HTMLInputElement;

/** Makes an element with these attributes and texts or elements in it. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...inside: (string | Node)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

/** Every control that stands in an element. */
export function controlsIn(element: Element): Control[] {
  return [...element.querySelectorAll<Control>('input, select, textarea')];
}

/** The buttons that send the form or do something else. */
export function buttonsIn(element: Element): Button[] {
  return [...element.querySelectorAll<Button>('button, input[type=submit]')];
}

/** The elements of questions in the form: by `data-path`. */
export function questionsIn(form: Element): HTMLElement[] {
  return [...form.querySelectorAll<HTMLElement>('[data-path]')];
}

/** The plain path of a question's element. */
export function pathOf(question: HTMLElement): string {
  return question.dataset['path'] ?? '';
}

/** The controls of a question itself, without those of questions that stand in it. */
export function ownControls(question: Element): Control[] {
  return controlsIn(question).filter((control) => control.closest('[data-path]') === question);
}

/** A control that travels with the form unseen; it is added where the page has none. */
export function hiddenControl(form: HTMLFormElement, name: string): HTMLInputElement {
  const found = [...form.querySelectorAll<HTMLInputElement>('input[type=hidden]')].find((one) => one.name === name);
  if (found !== undefined) return found;
  const made = make('input', { type: 'hidden', name });
  form.append(made);
  return made;
}

/** The JSON in a hidden control, or what stands for none. */
export function readHidden<T>(form: HTMLFormElement, name: string, none: T): T {
  try {
    return (JSON.parse(hiddenControl(form, name).value) as T | null) ?? none;
  } catch {
    return none;
  }
}

/** Puts JSON into a hidden control. */
export function writeHidden(form: HTMLFormElement, name: string, value: unknown): void {
  hiddenControl(form, name).value = JSON.stringify(value);
}

/** Lets all parts know of a change that nobody typed. */
export function tellChange(form: HTMLFormElement): void {
  form.dispatchEvent(new Event('change', { bubbles: true }));
}

let announcer: HTMLElement | undefined;

/** Says something to those who listen to the page, without moving their focus. */
export function announce(form: HTMLFormElement, text: string): void {
  if (announcer === undefined) {
    announcer = make('p', { 'aria-live': 'polite', class: 'announcer' });
    const buttons = form.querySelector('.buttons');
    if (buttons === null) form.append(announcer);
    else buttons.after(announcer);
  }
  announcer.textContent = text;
}
