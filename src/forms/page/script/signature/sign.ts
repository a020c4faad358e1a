import { hiddenControl, make } from '../elements.ts';
import type { FormPage } from '../page-data.ts';

/** Shows of every signature what the chosen way to sign needs: the name as it is typed, a field to draw in, a file. */
export function helpSigning(page: FormPage): void {
  for (const block of page.form.querySelectorAll<HTMLElement>('[data-signature]')) helpWith(page, block);
}

/** The same of one of them. */
export function helpWith(page: FormPage, block: HTMLElement): void {
  const prefix = block.dataset['signature'] ?? '';
  const inputs = [...block.querySelectorAll('input')];
  const image = hiddenControl(page.form, `${prefix}.image`);
  const methodNow = (): string =>
    inputs.find(({ name, checked }) => name === `${prefix}.method` && checked)?.value ?? 'typed';
  // A drawing is no picture that was sent, nor the other way round: each way to sign has its own.
  const images: Record<string, string> = { [methodNow()]: image.value };
  const drawn = (drawing: string): void => {
    images['drawn'] = image.value = drawing;
  };
  const mark = typedMark(inputs.find(({ name }) => name === `${prefix}.name`));
  const pad = block.querySelector<HTMLElement>('[data-pad]');
  const show = (): void => {
    const method = methodNow();
    image.value = images[method] ?? '';
    showIf(mark, method === 'typed');
    showIf(pad, method === 'drawn');
    for (const part of block.querySelectorAll('.picture, .mark')) showIf(part, method === 'uploaded');
    if (method === 'drawn' && pad?.childElementCount === 0) {
      drawIn(page, pad, image.value, drawn).catch(() => undefined);
    }
  };
  block.addEventListener('change', show);
  show();
}

async function drawIn(
  { form, say }: FormPage,
  box: HTMLElement,
  earlier: string,
  drawn: (image: string) => void,
): Promise<void> {
  const canvas = make('canvas', { role: 'img', 'aria-label': say('drawHere') });
  const clear = make('button', { type: 'button', class: 'small' }, say('clearDrawing'));
  box.append(make('p', { class: 'help' }, say('drawHere')), make('div', { class: 'pad' }, canvas), clear);
  const { startPad } = await import('./pad.ts');
  const pad = startPad(canvas, earlier, (image) => {
    drawn(image);
    form.dispatchEvent(new Event('change', { bubbles: true }));
  });
  clear.addEventListener('click', () => pad.clear());
}

/** The name as it will stand as a mark; a screen reader has just read it out. */
function typedMark(name: HTMLInputElement | undefined): HTMLElement {
  const mark = make('p', { class: 'signature-preview', 'aria-hidden': 'true' });
  const write = (): void => {
    mark.textContent = name?.value ?? '';
  };
  name?.insertAdjacentElement('afterend', mark);
  name?.addEventListener('input', write);
  write();
  return mark;
}

function showIf(element: Element | null, isShown: boolean): void {
  if (element instanceof HTMLElement) element.hidden = !isShown;
}
