import { ListFilter, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { words } from '../../words/subscribers.ts';
import type { PeopleChoice } from './choice.ts';
import { FilterDialog } from './filter-dialog.tsx';

interface PeopleFiltersProps {
  choice: PeopleChoice;
  onChange(choice: PeopleChoice): void;
  count: number | null;
}

/** How long nobody types before the server is asked. */
const REST_MS = 300;

/** The ways to show fewer people. */
export function PeopleFilters({ choice, onChange, count }: PeopleFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const lists = useRead('listSubscriptionLists', { query: { order_by: 'name', order: 'asc' } });
  const segments = useRead('listDynamicLists', { query: { order_by: 'name', order: 'asc', with_stats: 'false' } });
  return (
    <div className="flex flex-wrap items-end gap-3" data-print="no">
      <SearchBox value={choice.search} onChange={(search) => onChange({ ...choice, search })} />
      <Field label={words.list} hideLabel className="w-44 max-sm:grow">
        <Select
          value={choice.list ?? ''}
          onChange={(event) => onChange({ ...choice, list: Number(event.target.value) || undefined })}
        >
          <option value="">{words.anyList}</option>
          {lists.data?.data.map(({ id, attributes: { name } }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={words.segment} hideLabel className="w-44 max-sm:grow">
        <Select
          value={choice.segment ?? ''}
          onChange={(event) => onChange({ ...choice, segment: event.target.value || undefined })}
        >
          <option value="">{words.anySegment}</option>
          {segments.data?.data.map(({ id, attributes: { name } }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Button icon={ListFilter} aria-pressed={choice.filters !== null} onClick={() => setOpen(true)}>
        {choice.filters === null ? words.moreFilters : words.filtersOn}
      </Button>
      {choice.filters !== null && (
        <Button look="quiet" icon={X} onClick={() => onChange({ ...choice, filters: null })}>
          {words.clearFilters}
        </Button>
      )}
      {count !== null && (
        <p role="status" className="ml-auto self-center text-sm text-soft tabular-nums">
          {words.total(count)}
        </p>
      )}
      {isOpen && (
        <FilterDialog
          filters={choice.filters}
          onApply={(filters) => {
            setOpen(false);
            onChange({ ...choice, filters });
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

function SearchBox({ value, onChange }: { value: string; onChange(value: string): void }) {
  const [text, setText] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => text !== value && onChange(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <Field label={words.search} hideLabel className="w-80 max-sm:w-full">
      <Input type="search" placeholder={words.search} value={text} onChange={(event) => setText(event.target.value)} />
    </Field>
  );
}
