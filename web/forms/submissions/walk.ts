import { onForget } from '../../session/session.ts';

/** A part of a list as it stood when somebody went from it to one of its submissions. */
interface Walk {
  formId: string;
  ids: readonly string[];
}

let walk: Walk | null = null;
onForget(() => {
  walk = null;
});

/** Keeps the order of a list, filters and all, for going through it one by one. */
export function beginWalk(formId: string, ids: readonly string[]): void {
  walk = { formId, ids };
}

/** What stood before and after a submission in the list that somebody came from. */
export function besideOf(formId: string, id: string): { previous: string | undefined; next: string | undefined } {
  const ids = walk?.formId === formId ? walk.ids : [];
  const at = ids.indexOf(id);
  return at === -1 ? { previous: undefined, next: undefined } : { previous: ids[at - 1], next: ids[at + 1] };
}
