import type { Clock } from '../../platform/clock.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import { readStampedTime, stampTime } from './stamped-time.ts';

interface Deps {
  clock: Clock;
  installationKeys: CustomerVault;
}

const DAY_MS = 24 * 3_600_000;
/** For how many days a page can be sent at all. */
export const PAGE_DAYS = 90;

/** When a form was first shown, for its page to carry. */
export function stampShown({ clock, installationKeys }: Deps, form: PublicForm): string {
  return stampTime(installationKeys, shownUse(form), clock.now());
}

/** When the page was first shown, and for how many days it has been open; null where no stamp of ours tells. */
export function readShown(
  { clock, installationKeys }: Deps,
  form: PublicForm,
  stamp: string,
): { at: Date; days: number } | null {
  const at = readStampedTime(installationKeys, shownUse(form), stamp);
  return at === null ? null : { at, days: (clock.now().getTime() - at.getTime()) / DAY_MS };
}

function shownUse({ id }: PublicForm): string {
  return `shown ${id}`;
}
