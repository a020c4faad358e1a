import { Field, Textarea } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/properties.ts';
import type { Element } from '../draft/draft.ts';
import { SETTINGS } from '../draft/settings.ts';
import { ShowWhen } from './show-when.tsx';
import { useRaw } from './use-raw.ts';

/** Words between questions. */
export function HeadingProperties({ element }: { element: Element }) {
  const raw = useRaw(element.key, element.raw);
  return (
    <>
      <Field label={words.headingText} hint={words.headingHint}>
        <Textarea
          data-first
          value={raw.text(SETTINGS.headingText)}
          onChange={(event) => raw.set(SETTINGS.headingText, event.target.value)}
        />
      </Field>
      <ShowWhen of={raw} />
    </>
  );
}
