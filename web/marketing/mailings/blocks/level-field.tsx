import { Field, Select } from '../../../ui/field.tsx';
import { words } from '../../../words/blocks.ts';

/** How large a heading is. */
export function LevelField({ level, onChange }: { level: number; onChange(level: number): void }) {
  return (
    <Field label={words.fields.level} className="w-36">
      <Select value={level} onChange={(event) => onChange(Number(event.target.value))}>
        {Object.entries(words.fields.levels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  );
}
