import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { words } from '../../words/settings/audit.ts';
import type { AuditSearch } from './search.ts';

interface AuditFiltersProps {
  search: AuditSearch;
  onChange(search: AuditSearch): void;
}

/** What the log is filtered by. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const team = useRead('listTeam', {}).data?.data ?? [];
  const keys = useRead('listApiKeys', {}).data?.data ?? [];
  const actions = useRead('listAuditActions', {}).data?.data ?? [];
  const change = (name: keyof AuditSearch, value: string) => {
    const { [name]: _before, ...rest } = search;
    onChange(value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <div role="search" aria-label={words.filters} className="flex flex-wrap items-end gap-3">
      <Field label={words.actor} className="w-full sm:w-52">
        <Select value={search.actor ?? ''} onChange={(event) => change('actor', event.currentTarget.value)}>
          <option value="">{words.anybody}</option>
          <optgroup label={words.people}>
            {team.map(({ id, name, email }) => (
              <option key={id} value={id}>
                {name || email}
              </option>
            ))}
          </optgroup>
          <optgroup label={words.keys}>
            {keys.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        </Select>
      </Field>
      <Field label={words.action} className="w-full sm:w-52">
        <Select value={search.action ?? ''} onChange={(event) => change('action', event.currentTarget.value)}>
          <option value="">{words.anything}</option>
          {groupsOf(actions).map(({ area, names }) => (
            <optgroup key={area} label={words.told(area)}>
              {names.length > 1 && <option value={`${area}.`}>{words.everythingOf(words.told(area))}</option>}
              {names.map((name) => (
                <option key={name} value={name}>
                  {words.told(name)}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </Field>
      <Field label={words.from} className="w-40">
        <Input type="date" value={search.from ?? ''} onChange={(event) => change('from', event.currentTarget.value)} />
      </Field>
      <Field label={words.to} className="w-40">
        <Input type="date" value={search.to ?? ''} onChange={(event) => change('to', event.currentTarget.value)} />
      </Field>
      <TargetField value={search.target ?? ''} onChange={(value) => change('target', value)} />
      {Object.keys(search).length > 0 && (
        <Button look="quiet" icon={X} onClick={() => onChange({})}>
          {words.clear}
        </Button>
      )}
    </div>
  );
}

/** Takes effect when one leaves it or presses Enter: an id is seldom typed letter by letter. */
function TargetField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <Field label={words.target} className="w-full sm:w-60">
      <Input
        value={typed}
        placeholder={words.targetHint}
        maxLength={200}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => typed.trim() !== value && onChange(typed.trim())}
        onKeyDown={(event) => event.key === 'Enter' && onChange(typed.trim())}
      />
    </Field>
  );
}

function groupsOf(actions: readonly string[]): { area: string; names: string[] }[] {
  const groups = Map.groupBy(actions, (action) => action.split('.')[0] ?? action);
  return [...groups].map(([area, names]) => ({ area, names }));
}
