import { useState } from 'react';
import { Field, Input } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/properties.ts';
import { SETTINGS } from '../draft/settings.ts';
import type { Raw } from './use-raw.ts';

/** The kinds of files that a question takes, as one line of text. */
export function AcceptSetting({ of }: { of: Raw }) {
  const kept = of.value(SETTINGS.accept);
  const written = Array.isArray(kept) ? kept.join(', ') : typeof kept === 'string' ? kept : '';
  const [typed, setTyped] = useState<string | null>(null);
  const change = (text: string) => {
    setTyped(text);
    const kinds = text
      .split(',')
      .map((kind) => kind.trim())
      .filter((kind) => kind !== '');
    of.set(SETTINGS.accept, kinds.length === 0 ? undefined : kinds);
  };
  return (
    <Field label={words.accept} hint={words.acceptHint}>
      <Input value={typed ?? written} onChange={(event) => change(event.target.value)} onBlur={() => setTyped(null)} />
    </Field>
  );
}
