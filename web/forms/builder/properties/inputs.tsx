import { useState } from 'react';
import { isDate } from '../../../../src/forms/model/answer-patterns.ts';
import { Checkbox, Field, Input, Textarea } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/properties.ts';
import type { Setting } from '../draft/settings.ts';
import type { Raw } from './use-raw.ts';

interface SettingProps {
  of: Raw;
  setting: Setting;
  label: string;
  hint?: string;
}

/** A setting that is a text; empty takes it away. */
export function TextSetting({ of, setting, label, hint, rows }: SettingProps & { rows?: number }) {
  const value = of.text(setting);
  const change = (text: string) => of.set(setting, text === '' ? undefined : text);
  return (
    <Field label={label} hint={hint}>
      {rows === undefined ? (
        <Input value={value} onChange={(event) => change(event.target.value)} />
      ) : (
        <Textarea rows={rows} value={value} onChange={(event) => change(event.target.value)} />
      )}
    </Field>
  );
}

/** A setting that is a number; what is no number is told, and not kept. */
export function NumberSetting({ of, setting, label, hint, per = 1 }: SettingProps & { per?: number }) {
  const kept = of.text(setting);
  const shown = kept === '' || per === 1 ? kept : String(Number(kept) / per);
  // What is typed stays as it is meanwhile: “1.” is on the way to “1.5”.
  const [typed, setTyped] = useState<string | null>(null);
  const isGood = typed === null || isNumber(typed);
  const change = (text: string) => {
    setTyped(text);
    if (isNumber(text)) of.set(setting, text.trim() === '' ? undefined : Number(text) * per);
  };
  return (
    <Field label={label} hint={hint} problem={isGood ? undefined : words.numberWanted}>
      <Input
        inputMode="decimal"
        value={typed ?? shown}
        onChange={(event) => change(event.target.value)}
        onBlur={() => isGood && setTyped(null)}
      />
    </Field>
  );
}

function isNumber(text: string): boolean {
  return text.trim() === '' || Number.isFinite(Number(text));
}

/** A setting that is a date, or the word for the day on which somebody answers. */
export function DateSetting({ of, setting, label, hint }: SettingProps) {
  const [wrong, setWrong] = useState<string | null>(null);
  const change = (text: string) => {
    const isGood = text === '' || text === 'today' || isDate(text);
    setWrong(isGood ? null : text);
    if (isGood) of.set(setting, text === '' ? undefined : text);
  };
  return (
    <Field label={label} hint={hint} problem={wrong === null ? undefined : words.dateWanted}>
      <Input value={wrong ?? of.text(setting)} onChange={(event) => change(event.target.value.trim())} />
    </Field>
  );
}

/** A setting that holds or does not. */
export function FlagSetting({ of, setting, label, hint }: SettingProps) {
  return (
    <Checkbox
      label={label}
      hint={hint}
      checked={of.flag(setting)}
      onChange={(event) => of.set(setting, event.target.checked ? true : undefined)}
    />
  );
}
