import { Building2, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../api/client.ts';
import { useRead } from '../api/query.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/problem.tsx';
import { allRows } from '../ui/rows.ts';
import { type Column, Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';
import { words as all } from '../words/operator.ts';
import { AddCustomer } from './add-customer.tsx';

type Customer = Reply<'listCustomers'>['data'][number];

const words = all.customers;

const counted = (name: string, of: 'users' | 'keys' | 'forms' | 'submissions' | 'subscribers'): Column<Customer> => ({
  name,
  align: 'right',
  wideOnly: true,
  cell: (customer) => customer[of].toLocaleString('en'),
});

const COLUMNS: Column<Customer>[] = [
  {
    name: words.columns.name,
    cell: ({ name, username }) => (
      <span className="flex min-w-0 flex-col leading-tight">
        <span className="truncate font-medium">{name}</span>
        <span className="truncate text-xs text-soft">{username}</span>
      </span>
    ),
  },
  { name: words.columns.agreement, width: '7rem', cell: (customer) => <AgreementBadge {...customer} /> },
  { name: words.columns.active, wideOnly: true, cell: ({ last_active_at: at }) => <When at={at} /> },
  counted(words.columns.users, 'users'),
  counted(words.columns.keys, 'keys'),
  counted(words.columns.forms, 'forms'),
  counted(words.columns.submissions, 'submissions'),
  counted(words.columns.subscribers, 'subscribers'),
];

/** Who uses the installation. */
export function CustomersPage() {
  const read = useRead('listCustomers', {});
  const [adding, setAdding] = useState(false);
  const add = (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Page title={words.title} lead={words.lead} actions={add} wide>
      <Loaded read={read}>
        {({ data }) => (
          <Table
            label={words.label}
            columns={COLUMNS}
            rows={allRows(data)}
            keyOf={({ id }) => String(id)}
            empty={
              <Empty icon={Building2} title={words.empty}>
                {words.emptyLead}
              </Empty>
            }
          />
        )}
      </Loaded>
      {adding && <AddCustomer onClose={() => setAdding(false)} />}
    </Page>
  );
}

function AgreementBadge({ closed_at: closedAt, agreement_in_force: inForce }: Customer) {
  if (closedAt !== null) return <Badge tone="plain">{words.closed}</Badge>;
  return inForce ? <Badge tone="good">{words.inForce}</Badge> : <Badge tone="warn">{words.missing}</Badge>;
}
