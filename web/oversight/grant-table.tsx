import { Siren } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Reply } from '../api/client.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Empty } from '../ui/empty.tsx';
import { allRows } from '../ui/rows.ts';
import { type Column, Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';
import { words as all } from '../words/oversight.ts';

export type Grant = Reply<'listEmergencyAccess'>['data'][number];

const words = all.emergency;
const TONES: Record<Grant['state'], Tone> = {
  asked: 'warn',
  lapsed: 'plain',
  open: 'bad',
  expired: 'plain',
  ended: 'plain',
};

/** Emergency access, the latest first; `actions` are what can be done about each. */
export function GrantTable({
  grants,
  who,
  actions,
}: {
  grants: Grant[];
  who: 'operator' | 'customer';
  actions(grant: Grant): ReactNode;
}) {
  const columns: Column<Grant>[] = [
    {
      name: who === 'operator' ? words.columns.who : words.columns.customer,
      // Whoever decides has to read the reason, however long it is and however narrow the window.
      cell: ({ operator, customer, reason }) => (
        <span className="block w-44 py-2 break-words whitespace-normal md:w-auto">
          {who === 'operator' ? operator.email : customer.name}
          <span className="block text-sm text-soft">{reason}</span>
        </span>
      ),
    },
    {
      name: words.columns.state,
      width: '9rem',
      cell: ({ state, expires_at: at }) => (
        <span className="flex flex-col items-start gap-0.5">
          <Badge tone={TONES[state]}>{words.states[state]}</Badge>
          {state === 'open' && (
            <span className="text-xs text-soft">
              {words.until} <When at={at} exact />
            </span>
          )}
        </span>
      ),
    },
    { name: words.columns.when, wideOnly: true, width: '9rem', cell: ({ asked_at: at }) => <When at={at} /> },
    { name: words.columns.actions, width: '11rem', align: 'right', cell: actions },
  ];
  return (
    <Table
      label={words.label}
      columns={columns}
      rows={allRows(grants)}
      keyOf={({ id }) => id}
      empty={
        <Empty icon={Siren} title={words.empty}>
          {words.emptyLead}
        </Empty>
      }
    />
  );
}
