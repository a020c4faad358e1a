/** What had the focus on this page, the last one at the end; what is gone is forgotten. */
const trail = new Set<HTMLElement>();

document.addEventListener('focusin', ({ target }) => {
  for (const passed of trail) if (!passed.isConnected) trail.delete(passed);
  if (!(target instanceof HTMLElement)) return;
  const lasting = openerOfMenu(target) ?? target;
  trail.delete(lasting);
  trail.add(lasting);
});

/** A menu is gone as soon as something in it is chosen; its button stays, and a mouse never gives that the focus. */
function openerOfMenu(element: HTMLElement): HTMLElement | null {
  const opener = element.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return document.getElementById(opener ?? '');
}

/** Takes the focus back to what had it last and can still have it, unless it has gone somewhere by itself. */
export function goBackOnTrail(): void {
  if (document.activeElement !== document.body) return;
  const last = [...trail].findLast(canHaveFocus) ?? placeToGoOn();
  last?.focus();
}

function canHaveFocus(element: HTMLElement): boolean {
  const isHidden = element.closest('[aria-hidden=true]') !== null || !element.checkVisibility();
  return element.isConnected && !isHidden && !element.matches(':disabled');
}

/** The dialog that is still open, else what the page shows. */
function placeToGoOn(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[role=dialog]') ?? document.getElementById('content');
}
