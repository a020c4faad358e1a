import { Field, Input, Select } from '../../../../ui/field.tsx';
import { words } from '../../../../words/drips/panels.ts';
import { words as steps } from '../../../../words/drips/steps.ts';
import { type Span, UNITS, type Unit } from '../../model/step.ts';

interface SpanFieldsProps {
  label: string;
  span: Span;
  disabled?: boolean;
  onChange(span: Span): void;
}

/** How long something takes: a number and a unit, or several of them. */
export function SpanFields({ label, span, disabled = false, onChange }: SpanFieldsProps) {
  const parts = Object.entries(span) as [Unit, number][];
  const shown: [Unit, number][] = parts.length === 0 ? [['days', 1]] : parts;
  const change = (at: number, part: [Unit, number]) => onChange(Object.fromEntries(shown.with(at, part)));
  return shown.map(([unit, count], at) => (
    <div key={at} className="grid grid-cols-2 gap-2">
      <Field label={label}>
        <Input
          type="number"
          min={1}
          disabled={disabled}
          value={Number.isNaN(count) ? '' : count}
          onChange={(event) => change(at, [unit, event.target.valueAsNumber])}
        />
      </Field>
      <Field label={words.unit}>
        <Select value={unit} disabled={disabled} onChange={(event) => change(at, [event.target.value as Unit, count])}>
          {UNITS.filter((each) => each === unit || !(each in span)).map((each) => (
            <option key={each} value={each}>
              {steps.units[each]}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  ));
}
