import { Link } from '@tanstack/react-router';
import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { allRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/domains.ts';
import { RouteCard } from '../messages/route-card.tsx';
import { AddDomain } from './add-domain.tsx';
import { DomainBadge } from './state-badge.tsx';
import { TlsExceptions } from './tls-exceptions.tsx';
import { TrackingCard } from './tracking-card.tsx';

type Row = Reply<'listSendingDomains'>['data'][number];

const COLUMNS: Column<Row>[] = [
  {
    name: words.columns.domain,
    cell: ({ id, domain }) => (
      <Link
        to="/email/domains/$id"
        params={{ id }}
        className="font-medium text-brand underline-offset-2 hover:underline"
      >
        {domain}
      </Link>
    ),
  },
  { name: words.columns.state, cell: ({ state }) => <DomainBadge state={state} /> },
  {
    name: words.columns.records,
    wideOnly: true,
    cell: ({ records }) =>
      words.recordsFound(records.filter(({ status }) => status === 'found').length, records.length),
  },
  { name: words.columns.checked, wideOnly: true, cell: ({ checked_at: at }) => <When at={at} /> },
];

/** The domains to send from, and what counts for all mail. */
export function DomainsPage() {
  const read = useRead('listSendingDomains', {});
  const [adding, setAdding] = useState(false);
  const mayEdit = useMay('admin');
  const mayAsk = useMay('editor');
  const add = mayEdit ? (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  ) : null;
  return (
    <Page title={words.title} lead={words.lead} actions={add}>
      <Loaded read={read}>
        {({ data }) => (
          <Table
            label={words.label}
            columns={COLUMNS}
            rows={allRows(data)}
            keyOf={({ id }) => id}
            height="24rem"
            empty={
              <Empty icon={Globe} title={words.empty} action={add}>
                {words.emptyLead}
              </Empty>
            }
          />
        )}
      </Loaded>
      {mayAsk && <RouteCard />}
      <TlsExceptions mayEdit={mayEdit} />
      <TrackingCard mayEdit={mayEdit} />
      {adding && <AddDomain onClose={() => setAdding(false)} />}
    </Page>
  );
}
