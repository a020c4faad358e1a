import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Ban, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useWrite } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { useChainedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { undoBy } from '../../ui/undo.ts';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/suppressions.ts';
import { FindAddress } from '../find-address.tsx';
import { AddSuppression } from './add-suppression.tsx';
import { readSuppressionsSearch, type SuppressionsSearch } from './search.ts';

type Row = Reply<'listSuppressions'>['data'][number];

const COLUMNS: Column<Row>[] = [
  { name: words.columns.address, cell: ({ address }) => <span className="font-medium">{address}</span> },
  {
    name: words.columns.reason,
    cell: ({ reason }) => <Badge tone={reason === 'complaint' ? 'bad' : 'plain'}>{words.reasons[reason]}</Badge>,
  },
  { name: words.columns.since, wideOnly: true, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    name: words.columns.message,
    wideOnly: true,
    cell: ({ sourceTrackingId }) =>
      sourceTrackingId !== null && (
        <Link
          to="/email/messages/$id"
          params={{ id: sourceTrackingId }}
          className="text-brand underline underline-offset-2"
        >
          {words.openMessage}
        </Link>
      ),
  },
  { name: words.letHaveMail, width: '10rem', cell: (row) => <AllowAgain row={row} /> },
];

/** The addresses that get nothing more, and letting them have mail again. */
export function SuppressionsPage() {
  const search = readSuppressionsSearch(useSearch({ strict: false }));
  const [address, setAddress] = useState('');
  const [adding, setAdding] = useState(false);
  const rows = useChainedRows({
    op: 'listSuppressions',
    input: (after) => ({
      query: { limit: 100, after, reason: search.reason, address: address === '' ? undefined : address },
    }),
    read: ({ data, next }) => ({ rows: data, next }),
  });
  const isNarrowed = address !== '' || search.reason !== undefined;
  return (
    <Page
      wide
      title={words.title}
      lead={words.lead}
      actions={
        <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      }
    >
      <Filters search={search} onAddress={setAddress} />
      <Table
        label={words.label}
        columns={COLUMNS}
        rows={rows}
        keyOf={(row) => `${row.address} ${row.reason}`}
        empty={
          <Empty icon={Ban} title={isNarrowed ? words.nothingFits : words.empty}>
            {isNarrowed ? words.nothingFitsLead : words.emptyLead}
          </Empty>
        }
      />
      {adding && <AddSuppression onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Filters({ search, onAddress }: { search: SuppressionsSearch; onAddress(address: string): void }) {
  const go = useNavigate();
  return (
    <div className="grid items-start gap-3 rounded-lg border bg-surface p-4 sm:grid-cols-2">
      <Field label={words.reason}>
        <Select
          value={search.reason ?? ''}
          onChange={(event) => void go({ to: '/email/suppressions', search: { reason: event.target.value } })}
        >
          <option value="">{words.anyReason}</option>
          {Object.entries(words.reasons).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <FindAddress label={words.find} hint={words.findHint} onFind={onAddress} />
    </div>
  );
}

function AllowAgain({ row }: { row: Row }) {
  const { address, reason } = row;
  const remove = useWrite('deleteSuppression', {
    stale: ['listSuppressions'],
    onDone: () =>
      tell(words.removed, undoBy('createSuppression', { body: { address } }, ['listSuppressions'], words.restored)),
    onFail: tellProblem,
  });
  if (reason === 'opt_out') return <span className="text-soft">{words.optOut}</span>;
  return (
    <Button
      aria-label={words.remove(address)}
      busy={remove.isPending}
      onClick={() => remove.mutate({ query: { address, reason } })}
    >
      {words.letHaveMail}
    </Button>
  );
}
