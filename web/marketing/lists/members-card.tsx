import { Link } from '@tanstack/react-router';
import { FileUp, Users } from 'lucide-react';
import type { Reply } from '../../api/client.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';
import { usePagedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/lists.ts';

type Person = Reply<'searchSubscribers'>['data'][number];

const COLUMNS: readonly Column<Person>[] = [
  {
    name: words.memberColumns.email,
    cell: ({ id, attributes: { email, phone_number: phone } }) => (
      <Link to={`/marketing/subscribers/${id}`} className="text-brand underline-offset-2 hover:underline">
        {email ?? phone}
      </Link>
    ),
  },
  { name: words.memberColumns.name, cell: ({ attributes }) => attributes.full_name },
  {
    name: words.memberColumns.added,
    width: '9rem',
    cell: ({ attributes }) => <When at={attributes.created_at} />,
    wideOnly: true,
  },
];

const SIZE = 100;

/** Who gets what a list sends. */
export function MembersCard({ id }: { id: string }) {
  const rows = usePagedRows({
    op: 'searchSubscribers',
    size: SIZE,
    input: (page) => ({ body: { subscription_list_id: id, items: SIZE, page } }),
    read: ({ data, page_info: { count } }) => ({ rows: data, count }),
  });
  const see = (
    <ButtonLink icon={Users} to="/marketing/subscribers" search={{ list: Number(id) }}>
      {words.seeMembers}
    </ButtonLink>
  );
  const bring = (
    <ButtonLink icon={FileUp} to="/marketing/imports/new" search={{ list: Number(id) }}>
      {words.importInto}
    </ButtonLink>
  );
  return (
    <Card title={words.membersTitle} actions={see}>
      <Table
        label={words.membersLabel}
        columns={COLUMNS}
        rows={rows}
        keyOf={(person) => person.id}
        height="28rem"
        empty={
          <Empty icon={Users} title={words.noMembers} action={bring}>
            {words.noMembersLead}
          </Empty>
        }
      />
    </Card>
  );
}
