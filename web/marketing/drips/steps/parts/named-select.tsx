import type { ReactNode } from 'react';
import { Field, Select } from '../../../../ui/field.tsx';
import { words } from '../../../../words/drips/panels.ts';
import type { Named } from '../../names.ts';

interface NamedSelectProps {
  label: string;
  hint?: ReactNode;
  value: string;
  options: readonly (Named & { disabled?: boolean })[];
  disabled?: boolean;
  onChange(id: string): void;
}

/** One of the customer's mailings, lists, forms or whatever has a name; what is gone stays in sight until another is chosen. */
export function NamedSelect({ label, hint, value, options, disabled = false, onChange }: NamedSelectProps) {
  const isKnown = value === '' || options.some(({ id }) => id === value);
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      <Select value={value} disabled={disabled} onChange={(event) => onChange(event.target.value)}>
        {value === '' && <option value="">{words.choose}</option>}
        {!isKnown && <option value={value}>{words.gone}</option>}
        {options.map((option) => (
          <option key={option.id} value={option.id} disabled={option.disabled === true}>
            {option.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
