import { announce, type Button, buttonsIn, make } from './elements.ts';
import type { FormPage, SendInstead, Wait } from './page-data.ts';
import { filesAsLeft } from './upload/kept-files.ts';

/** How long a page is awaited that may come no more, as the reply was lost or somebody stopped it. What was taken is known again. */
const PATIENCE_MS = 20_000;

/**
 * Sends the form once, however often a button is pressed, and not before all that is still on its way has come. Nothing
 * is sent while `mayGo` says no.
 */
export function guardSending(page: FormPage, mayGo: (go: string) => boolean): void {
  const { form } = page;
  let clicked: Button | null = null;
  let isSending = false;
  /** What the form was sent with, once it is under way. */
  let goneBy: Button | null = null;
  let patience: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    isSending = false;
    goneBy = null;
    clearTimeout(patience);
    holdStill(form, false);
    setBusy(page, false);
  };
  const awaitNextPage = (button: Button | null): void => {
    goneBy = button;
    holdStill(form, true);
    setBusy(page, true);
    patience = setTimeout(stop, PATIENCE_MS);
    if ('navigation' in window) window.navigation.addEventListener('navigateerror', stop, { once: true });
  };
  form.addEventListener('click', (event) => {
    clicked = (event.target as Element).closest<Button>('button, input[type=submit]') ?? clicked;
  });
  form.addEventListener('submit', (event) => {
    const button = (event.submitter as Button | null | undefined) ?? clicked;
    const go = button?.name === '_go' ? button.value : '';
    if (isSending || isWithoutConnection(page) || !mayGo(go)) return event.preventDefault();
    isSending = true;
    if (page.waits.size > 0 || page.sendInstead !== null) {
      event.preventDefault();
      void sendWhenAllHasCome(page, button, go).then((isSent) => (isSent ? awaitNextPage(button) : stop()));
    } else {
      for (const farewell of page.farewells) farewell();
      // Only then, as a button that is disabled would not be sent.
      setTimeout(awaitNextPage, 0, button);
    }
    return undefined;
  });
  // A dialog that was open when the form went brings its file only now. That is heard of before the file is sent ahead, which
  // would be stopped as well.
  const sendAnewWithFile = ({ target }: Event): void => {
    const button = goneBy;
    if (button === null || page.sendInstead !== null || !isFileInput(target)) return;
    window.stop();
    stop();
    setTimeout(() => target.closest('.question.wrong') ?? button.click());
  };
  form.addEventListener('change', sendAnewWithFile, true);
  // The back button may bring the page back just as it was left.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) stop();
  });
}

/** Whether it was sent: not where something that it waited for did not come. */
async function sendWhenAllHasCome(page: FormPage, button: Button | null, go: string): Promise<boolean> {
  const { form, farewells } = page;
  setBusy(page, true);
  if (!(await hasAllCome(page, go))) return false;
  if (page.sendInstead !== null) return sendOwnWay(page, page.sendInstead, go);
  for (const farewell of farewells) farewell();
  // `submit()` says nothing of the button that was pressed, and older browsers know no other way.
  const pressed = make('input', { type: 'hidden', name: button?.name ?? '_go', value: button?.value ?? '' });
  form.append(pressed);
  form.submit();
  pressed.remove();
  return true;
}

/**
 * The same for a form that browsers do not send by themselves. Where a file is chosen while it goes, in a dialog that was
 * open or in a browser that holds nothing still, all is sent anew, so that the server says that this came too late.
 */
async function sendOwnWay(page: FormPage, send: SendInstead, go: string): Promise<boolean> {
  const { form } = page;
  holdStill(form, true);
  const files = JSON.stringify(filesAsLeft(form));
  const goOn = await send(go);
  if (goOn === null) return false;
  if (JSON.stringify(filesAsLeft(form)) === files) {
    goOn();
    return true;
  }
  holdStill(form, false);
  return (await hasAllCome(page, go)) && sendOwnWay(page, send, go);
}

/** Whether all has come that the form waits for: also what there was to wait for only meanwhile, as a file just chosen. */
async function hasAllCome({ waits }: FormPage, go: string): Promise<boolean> {
  const awaited = new Set<Wait>();
  for (;;) {
    const more = [...waits].filter((wait) => !awaited.has(wait));
    if (more.length === 0) return true;
    for (const wait of more) awaited.add(wait);
    const come = await Promise.all(more.map((wait) => wait(go)));
    if (!come.every(Boolean)) return false;
  }
}

/** The browser would show a page of its own in the place of this one, and what was typed would be out of sight. */
function isWithoutConnection({ form, say }: FormPage): boolean {
  if (navigator.onLine) return false;
  announce(form, say('noConnection'));
  return true;
}

function isFileInput(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.type === 'file';
}

/** What would be changed once the form is under way would not go with it. Browsers before 2022 are held still by the style. */
function holdStill(form: HTMLFormElement, isHeld: boolean): void {
  for (const question of form.querySelectorAll('.question')) {
    if (isHeld) question.setAttribute('inert', '');
    else question.removeAttribute('inert');
  }
  const { activeElement } = document;
  if (isHeld && activeElement instanceof HTMLElement && activeElement.closest('.question') !== null)
    activeElement.blur();
}

/** What has nothing to do with sending, such as giving up a file that is on its way, stays possible. */
function setBusy({ form, say }: FormPage, isBusy: boolean): void {
  form.setAttribute('aria-busy', String(isBusy));
  for (const button of buttonsIn(form)) if (button.type === 'submit') button.disabled = isBusy;
  announce(form, isBusy ? say('sending') : '');
}
