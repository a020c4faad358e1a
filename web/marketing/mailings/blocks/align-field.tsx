import { Field, Select } from '../../../ui/field.tsx';
import { words } from '../../../words/blocks.ts';

export type Align = keyof typeof words.fields.aligns;

/** Where in its line something stands. */
export function AlignField({ align, onChange }: { align: Align; onChange(align: Align): void }) {
  return (
    <Field label={words.fields.align} className="w-36">
      <Select value={align} onChange={(event) => onChange(event.target.value as Align)}>
        {Object.entries(words.fields.aligns).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  );
}
