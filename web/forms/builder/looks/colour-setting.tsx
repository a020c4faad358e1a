import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { readColour } from '../../../../src/forms/readiness/contrast.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/looks.ts';
import { contrastIn, THEME, themeIn } from './theme.ts';

/** WCAG 2.2, 1.4.3. */
const LEAST = 4.5;

type ColourName = keyof typeof words.names;

interface ColourSettingProps {
  name: ColourName;
  css: string;
  onChange(value: string | null): void;
}

/** A colour of the page, with how well it can be read. */
export function ColourSetting({ name, css, onChange }: ColourSettingProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const label = words.names[name];
  const value = themeIn(css, name) ?? THEME[name];
  const change = (text: string) => {
    setTyped(text);
    if (readColour(text) !== null) onChange(text);
  };
  return (
    <Field label={label} hint={<Contrast name={name} css={css} />}>
      <div className="flex items-center gap-2">
        <input
          type="color"
          aria-label={words.pick(label)}
          className="h-9 w-12 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
          value={hexOf(value)}
          onChange={(event) => onChange(event.target.value)}
        />
        <Input
          className="max-w-32 font-mono text-sm"
          spellCheck={false}
          value={typed ?? value}
          onChange={(event) => change(event.target.value)}
          onBlur={() => setTyped(null)}
        />
        {themeIn(css, name) !== null && (
          <Button look="quiet" icon={RotateCcw} aria-label={words.reset(label)} onClick={() => onChange(null)} />
        )}
      </div>
    </Field>
  );
}

function Contrast({ name, css }: { name: ColourName; css: string }) {
  const contrast = contrastIn(css, name);
  if (contrast === null) return null;
  const isGood = contrast >= LEAST;
  return (
    <span className="flex flex-wrap items-center gap-2">
      {words.contrast(contrast.toFixed(1))}
      <Badge tone={isGood ? 'good' : 'bad'}>{isGood ? words.contrastGood : words.contrastBad}</Badge>
    </span>
  );
}

/** A colour as the browser's own control takes it. */
function hexOf(text: string): string {
  const colour = readColour(text) ?? [0, 0, 0];
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
