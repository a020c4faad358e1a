import { Plus, Trash2 } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { words } from '../../../words/drips/machine.ts';
import { useEditing } from '../editing.ts';
import type { Invented } from './wish.ts';

const ZONES = Intl.supportedValuesOf('timeZone');

interface InventedFieldsProps {
  person: Invented;
  onChange(person: Invented): void;
  onRemove(): void;
}

/** Somebody who is made up: a name, a clock, and fields where the steps ask for some. */
export function InventedFields({ person, onChange, onRemove }: InventedFieldsProps) {
  const { nameable } = useEditing();
  const setField = (at: number, next: Invented['fields'][number]) =>
    onChange({ ...person, fields: person.fields.with(at, next) });
  return (
    <fieldset className="flex flex-col gap-2 rounded-md border p-3">
      <legend className="px-1 text-sm text-soft">{words.invented}</legend>
      <div className="grid grid-cols-[1fr_auto] items-end gap-2">
        <Field label={words.personName}>
          <Input
            autoComplete="off"
            maxLength={100}
            value={person.name}
            onChange={(event) => onChange({ ...person, name: event.target.value })}
          />
        </Field>
        <Button look="quiet" icon={Trash2} aria-label={words.removePerson(person.name)} onClick={onRemove} />
      </div>
      <Field label={words.zone}>
        <Select value={person.zone} onChange={(event) => onChange({ ...person, zone: event.target.value })}>
          {[...new Set(['UTC', person.zone, ...ZONES])].map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </Select>
      </Field>
      {person.fields.map((field, at) => (
        <div key={at} className="grid grid-cols-[1fr_1fr_auto] items-end gap-2">
          <Field label={words.field}>
            <Select value={field.name} onChange={(event) => setField(at, { ...field, name: event.target.value })}>
              <option value="">{words.choose}</option>
              {nameable.fields.map(({ id, name }) => (
                <option key={id}>{name}</option>
              ))}
            </Select>
          </Field>
          <Field label={words.value}>
            <Input value={field.value} onChange={(event) => setField(at, { ...field, value: event.target.value })} />
          </Field>
          <Button
            look="quiet"
            icon={Trash2}
            aria-label={words.removeField}
            onClick={() => onChange({ ...person, fields: person.fields.toSpliced(at, 1) })}
          />
        </div>
      ))}
      {nameable.fields.length > 0 && (
        <div>
          <Button
            look="quiet"
            icon={Plus}
            onClick={() => onChange({ ...person, fields: [...person.fields, { name: '', value: '' }] })}
          >
            {words.addField}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
