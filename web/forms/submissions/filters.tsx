import { useState } from 'react';
import { useUser } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { words } from '../../words/forms/submissions.ts';
import { readSubmissionsSearch, STATES, type SubmissionsSearch } from './search.ts';
import type { Member } from './team.ts';

interface FiltersProps {
  search: SubmissionsSearch;
  people: readonly Member[];
  email: string;
  onChange(next: SubmissionsSearch): void;
  onEmail(email: string): void;
}

/** Which submissions are shown. The address of a patient stays in this page. */
export function Filters({ search, people, email, onChange, onEmail }: FiltersProps) {
  const me = useUser();
  const [text, setText] = useState(email);
  const { state, whose, since, until, ...rest } = search;
  const set = (part: Partial<Record<'state' | 'whose' | 'since' | 'until', string>>) => {
    const all = { ...search, ...part };
    onChange(readSubmissionsSearch(all));
  };
  const isFiltered = [state, whose, since, until].some((each) => each !== undefined) || email !== '';
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onEmail(text.trim());
      }}
    >
      <Field label={words.filterState} className="w-36">
        <Select value={state ?? ''} onChange={({ target }) => set({ state: target.value })}>
          <option value="">{words.anyState}</option>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {words.states[each]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={words.filterAssignee} className="w-44">
        <Select value={whose ?? ''} onChange={({ target }) => set({ whose: target.value })}>
          <option value="">{words.anybody}</option>
          <option value="none">{words.nobody}</option>
          <option value={me.id}>{words.mine}</option>
          {people
            .filter(({ id }) => id !== me.id)
            .map(({ id, name, email: address }) => (
              <option key={id} value={id}>
                {name || address}
              </option>
            ))}
        </Select>
      </Field>
      <Field label={words.filterSince} className="w-40">
        <Input type="date" value={since ?? ''} onChange={({ target }) => set({ since: target.value })} />
      </Field>
      <Field label={words.filterUntil} className="w-40">
        <Input type="date" value={until ?? ''} onChange={({ target }) => set({ until: target.value })} />
      </Field>
      <Field label={words.filterEmail} className="w-60">
        <Input
          type="search"
          autoComplete="off"
          placeholder={words.filterEmailHint}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <Button type="submit">{words.find}</Button>
      {isFiltered && (
        <Button
          look="quiet"
          onClick={() => {
            setText('');
            onEmail('');
            onChange(rest);
          }}
        >
          {words.clear}
        </Button>
      )}
    </form>
  );
}
