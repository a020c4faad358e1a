import { useRead } from '../../api/query.ts';
import { Field, Select } from '../../ui/field.tsx';
import { words } from '../../words/imports.ts';
import type { CsvHead } from './csv-head.ts';
import { PERSON, type Target } from './mapping.ts';

interface MappingTableProps {
  head: CsvHead;
  targets: readonly Target[];
  onChange(targets: Target[]): void;
}

const SHOWN = 3;

/** Every column of the file with its first values, and what it is taken for. */
export function MappingTable({ head: { rows, hasHeader }, targets, onChange }: MappingTableProps) {
  const [first = []] = rows;
  const people = rows.slice(hasHeader ? 1 : 0).slice(0, SHOWN);
  return (
    <div className="overflow-x-auto rounded-md border" tabIndex={0} role="region" aria-label={words.columnsLabel}>
      <table className="w-full text-sm">
        <thead>
          <tr className="text-left text-xs text-soft">
            <th scope="col" className="px-3 py-2 font-semibold">
              {words.column}
            </th>
            <th scope="col" className="px-3 py-2 font-semibold">
              {words.firstRows}
            </th>
            <th scope="col" className="px-3 py-2 font-semibold">
              {words.takenFor}
            </th>
          </tr>
        </thead>
        <tbody>
          {targets.map((target, at) => {
            const header = hasHeader ? (first[at]?.trim() ?? '') : '';
            const name = header === '' ? words.columnNumber(at + 1) : header;
            return (
              <tr key={at} className="border-t align-top">
                <th scope="row" className="px-3 py-2 text-left font-medium break-words">
                  {name}
                </th>
                <td className="max-w-60 px-3 py-2 text-soft">
                  {people.map((row, which) => (
                    <span key={which} className="block truncate">
                      {row[at]}
                    </span>
                  ))}
                </td>
                <td className="min-w-48 px-3 py-2">
                  <TargetSelect
                    label={words.takenForColumn(name)}
                    header={header}
                    value={target}
                    onChange={(next) => onChange([...targets].with(at, next))}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface TargetSelectProps {
  label: string;
  header: string;
  value: Target;
  onChange(target: Target): void;
}

function TargetSelect({ label, header, value, onChange }: TargetSelectProps) {
  const types = useRead('listCustomFieldTypes', {});
  const own = types.data?.data.map(({ attributes }) => attributes) ?? [];
  const isNew = header !== '' && own.every(({ name }) => name !== header);
  return (
    <Field label={label} hideLabel>
      <Select value={value ?? ''} onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}>
        <option value="">{words.leaveOut}</option>
        <optgroup label={words.everyone}>
          {PERSON.map((person) => (
            <option key={person} value={person}>
              {words.targets[person]}
            </option>
          ))}
        </optgroup>
        <optgroup label={words.ownFields}>
          {own.map(({ name, class: given }) => (
            <option key={name} value={name}>
              {given === 'phi' ? words.healthMark(name) : name}
            </option>
          ))}
          {isNew && <option value={header}>{words.newField(header)}</option>}
        </optgroup>
      </Select>
    </Field>
  );
}
