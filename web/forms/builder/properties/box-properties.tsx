import { Field, Input } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/properties.ts';
import type { Element } from '../draft/draft.ts';
import { SETTINGS } from '../draft/settings.ts';
import { ShowWhen } from './show-when.tsx';
import { useRaw } from './use-raw.ts';

/** A section: its title, and when it is shown with all that is in it. */
export function BoxProperties({ element }: { element: Element }) {
  const raw = useRaw(element.key, element.raw);
  return (
    <>
      <Field label={words.sectionTitle}>
        <Input
          data-first
          value={raw.text(SETTINGS.title)}
          onChange={(event) => raw.set(SETTINGS.title, event.target.value)}
        />
      </Field>
      <ShowWhen of={raw} />
    </>
  );
}
