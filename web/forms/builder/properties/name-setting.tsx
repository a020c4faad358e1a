import { useState } from 'react';
import { Field, Input } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/properties.ts';
import { useBuilder } from '../builder-context.ts';
import type { Element } from '../draft/draft.ts';
import { nameOf, namesBeside, rename } from '../draft/names.ts';

/** The name of a question. One that is taken or empty is told, and not kept. */
export function NameSetting({ element }: { element: Element }) {
  const { draft, edit } = useBuilder();
  const [wrong, setWrong] = useState<string | null>(null);
  const change = (name: string) => {
    const isGood = name.trim() !== '' && !namesBeside(draft, element.key).has(name);
    setWrong(isGood ? null : name);
    if (isGood) edit((now) => rename(now, element.key, name), `${element.key}:name`);
  };
  const problem = wrong === null ? undefined : wrong.trim() === '' ? words.nameEmpty : words.nameTaken;
  return (
    <Field label={words.name} hint={words.nameHint} problem={problem}>
      <Input
        className="font-mono text-sm"
        spellCheck={false}
        value={wrong ?? nameOf(element) ?? ''}
        onChange={(event) => change(event.target.value)}
        onBlur={() => setWrong(null)}
      />
    </Field>
  );
}
