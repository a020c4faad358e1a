import { Trash2 } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { words } from '../../../words/drips/machine.ts';
import { HappeningFields } from '../steps/parts/happening-fields.tsx';
import { SpanFields } from '../steps/parts/span-fields.tsx';
import type { Assumed } from './wish.ts';

interface AssumedFieldsProps {
  assumed: Assumed;
  people: readonly string[];
  onChange(assumed: Assumed): void;
  onRemove(): void;
}

/** Something that is assumed to happen to somebody some time after they entered. */
export function AssumedFields({ assumed, people, onChange, onRemove }: AssumedFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-2 rounded-md border p-3">
      <legend className="px-1 text-sm text-soft">{words.events}</legend>
      <HappeningFields happening={assumed.happening} onChange={(happening) => onChange({ ...assumed, happening })} />
      <Field label={words.whoIsMeant}>
        <Select
          value={assumed.person ?? ''}
          onChange={({ target: { value } }) => onChange({ ...assumed, person: value === '' ? null : Number(value) })}
        >
          <option value="">{words.everybody}</option>
          {people.map((name, at) => (
            <option key={at} value={at}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <SpanFields label={words.after} span={assumed.after} onChange={(after) => onChange({ ...assumed, after })} />
      <div>
        <Button look="quiet" icon={Trash2} onClick={onRemove}>
          {words.removeEvent}
        </Button>
      </div>
    </fieldset>
  );
}
