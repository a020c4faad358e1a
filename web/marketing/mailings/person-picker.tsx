import { useState } from 'react';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/mailings.ts';

/** Somebody who was chosen, by name or else by address. */
export interface ChosenPerson {
  id: string;
  name: string;
}

interface PersonPickerProps {
  onChoose(person: ChosenPerson): void;
  onClose(): void;
}

const MOST = 8;

/** Finds a person by name or address. What is looked for stands in no address of the browser. */
export function PersonPicker({ onChoose, onClose }: PersonPickerProps) {
  const [search, setSearch] = useState('');
  const find = useWrite('searchSubscribers');
  const people = find.data?.data.map(({ id, attributes: { full_name: name, email } }) => ({
    id,
    name: name === '' ? (email ?? '') : name,
    email,
  }));
  return (
    <Dialog open live onClose={onClose} title={words.personTitle}>
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          find.mutate({ body: { search: search.trim(), items: MOST } });
        }}
      >
        <Field label={words.personSearch} className="grow">
          <Input type="search" value={search} required onChange={(event) => setSearch(event.target.value)} />
        </Field>
        <Button type="submit" look="primary" busy={find.isPending}>
          {words.personFind}
        </Button>
      </form>
      {find.error !== null && <Problem error={find.error} />}
      {people?.length === 0 && <p role="status">{words.personNobody}</p>}
      <ul className="flex flex-col divide-y">
        {people?.map(({ id, name, email }) => (
          <li key={id}>
            <button
              type="button"
              aria-label={words.personChoose(name)}
              className="flex w-full flex-col items-start rounded px-2 py-2 text-left hover:bg-sunken"
              onClick={() => onChoose({ id, name })}
            >
              <span>{name}</span>
              <span className="text-sm text-soft">{email}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
