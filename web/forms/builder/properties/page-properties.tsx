import { Field, Input } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/properties.ts';
import { useBuilder } from '../builder-context.ts';
import type { DraftPage } from '../draft/draft.ts';
import { SETTINGS, textOf } from '../draft/settings.ts';
import { ShowWhen } from './show-when.tsx';
import { useRaw } from './use-raw.ts';

/** A page: its title, and when it is asked at all. What stands before the first break has neither of its own. */
export function PageProperties({ page }: { page: DraftPage }) {
  const { draft, edit } = useBuilder();
  const raw = useRaw(page.key, page.raw);
  const isFirst = page.kind === 'first' && draft.pages[0] === page;
  const title = isFirst ? textOf(draft.json, { keys: ['title'], as: 'title' }) : raw.text(SETTINGS.title);
  const retitle = (text: string) => {
    if (!isFirst) return raw.set(SETTINGS.title, text);
    return edit(({ json, ...rest }) => ({ ...rest, json: { ...json, title: text } }), 'first page title');
  };
  return (
    <>
      <Field label={words.pageTitle} hint={words.pageTitleHint}>
        <Input data-first value={title} onChange={(event) => retitle(event.target.value)} />
      </Field>
      {!isFirst && <ShowWhen of={raw} />}
    </>
  );
}
