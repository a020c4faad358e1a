import { useDeferredValue, useState } from 'react';
import type { Reply } from '../../../api/client.ts';
import { Field, Input } from '../../../ui/field.tsx';
import { usePagedRows } from '../../../ui/rows.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { words } from '../../../words/drips/people.ts';
import { useEditing } from '../editing.ts';

type Subscriber = Reply<'searchSubscribers'>['data'][number];

const SIZE = 50;
const COLUMNS: Column<Subscriber>[] = [
  { name: words.email, cell: ({ attributes }) => attributes.email ?? words.noAddress },
  { name: words.name, cell: ({ attributes }) => attributes.full_name },
];

interface PeopleOfListProps {
  chosen: ReadonlySet<string>;
  onChange(ids: ReadonlySet<string>): void;
}

/** The people on the list of a campaign, to be found and chosen. */
export function PeopleOfList({ chosen, onChange }: PeopleOfListProps) {
  const { draft } = useEditing();
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search.trim());
  const rows = usePagedRows({
    op: 'searchSubscribers',
    input: (page) => ({
      body: {
        subscription_list_id: draft.subscription_list_id,
        ...(wanted === '' ? {} : { search: wanted }),
        page,
        items: SIZE,
        order_by: 'email',
        order: 'asc',
      },
    }),
    read: ({ data, page_info: { count } }) => ({ rows: data, count }),
    size: SIZE,
  });
  return (
    <div className="flex flex-col gap-3">
      <Field label={words.findPerson}>
        <Input type="search" autoComplete="off" value={search} onChange={(event) => setSearch(event.target.value)} />
      </Field>
      <Table
        label={words.choosePerson}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        selection={{ ids: chosen, idOf: ({ id }) => id, change: onChange }}
        empty={<p className="text-soft">{words.noPeople}</p>}
        height="16rem"
      />
    </div>
  );
}
