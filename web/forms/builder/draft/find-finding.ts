import type { Draft } from './draft.ts';
import { idOfPage } from './ids.ts';
import { nameOf } from './names.ts';
import { settingsOf } from './settings.ts';
import { allElements } from './tree.ts';
import { writeDraft } from './write-draft.ts';

/** The page or element that a finding is about, which names it by name, by id or by its place in the form. */
export function keyOfFinding(draft: Draft, field: string | null): string | null {
  if (field === null) return null;
  const elements = allElements(draft).map(({ element }) => element);
  const named = elements.find((element) => nameOf(element) === field);
  if (named !== undefined) return named.key;
  const known = [...draft.pages, ...elements].find(({ raw }) => settingsOf(raw).text('id', 'key', 'name') === field);
  if (known !== undefined) return known.key;
  const page = draft.pages.find((each) => idOfPage(draft, each) === field);
  if (page !== undefined) return page.key;
  const [place = ''] = /^\w+(?:\[\d+\])*/.exec(field) ?? [];
  return writeDraft(draft).places.get(place) ?? null;
}
