import { Link, useSearch } from '@tanstack/react-router';
import { Inbox, Send } from 'lucide-react';
import { useMemo } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRemembered } from '../../session/use-remembered.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { useChainedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/messages.ts';
import { Filters } from './filters.tsx';
import { readMessagesSearch, sinceOf } from './search.ts';
import { StateBadge } from './state-badge.tsx';

type Row = Reply<'listMessages'>['data'][number];

const SUBJECT: Column<Row> = {
  name: words.columns.subject,
  cell: (row) => (
    <Link
      to="/email/messages/$id"
      params={{ id: row.sourceTrackingId }}
      className="block max-w-44 truncate font-medium text-brand underline-offset-2 hover:underline sm:max-w-none"
    >
      {row.subject === '' ? words.noSubject : row.subject}
    </Link>
  ),
};
const REST: Column<Row>[] = [
  { name: words.columns.to, cell: ({ to }) => words.andMore(to[0] ?? '', to.length - 1), wideOnly: true },
  {
    name: words.columns.state,
    width: '9rem',
    cell: ({ state, mode }) => (
      <span className="flex gap-1">
        <StateBadge state={state} />
        {mode === 'test' && <Badge>{words.test}</Badge>}
      </span>
    ),
  },
  { name: words.columns.from, cell: ({ from }) => from, wideOnly: true },
  { name: words.columns.when, width: '9rem', cell: ({ createdAt }) => <When at={createdAt} />, wideOnly: true },
];
const LEAVES: Column<Row> = {
  name: words.columns.leaves,
  width: '12rem',
  cell: ({ scheduledFor }) => <When at={scheduledFor} exact />,
};

/** Every message, the newest first, and the ways to find one. */
export function MessagesPage() {
  const search = readMessagesSearch(useSearch({ strict: false }));
  const [recipient, setRecipient] = useRemembered('/email/messages', 'recipient', '');
  const since = useMemo(() => sinceOf(search.period, new Date()), [search.period]);
  const rows = useChainedRows({
    op: 'listMessages',
    input: (after) => ({
      query: {
        limit: 100,
        after,
        since,
        state: search.state,
        to: recipient === '' ? undefined : recipient,
      },
    }),
    read: ({ data, next }) => ({ rows: data, next }),
  });
  const isNarrowed = recipient !== '' || search.state !== undefined || search.period !== undefined;
  const columns = search.state === 'scheduled' ? [SUBJECT, LEAVES, ...REST] : [SUBJECT, ...REST];
  return (
    <Page
      wide
      title={words.title}
      lead={words.lead}
      actions={
        <ButtonLink look="primary" icon={Send} to="/email/messages/new">
          {words.send}
        </ButtonLink>
      }
    >
      <Filters search={search} recipient={recipient} onRecipient={setRecipient} />
      <Table
        label={words.label}
        columns={columns}
        rows={rows}
        keyOf={({ sourceTrackingId }) => sourceTrackingId}
        empty={isNarrowed ? <NothingFits /> : <NoMessages />}
      />
    </Page>
  );
}

function NoMessages() {
  const action = (
    <ButtonLink look="primary" icon={Send} to="/email/messages/new">
      {words.send}
    </ButtonLink>
  );
  return (
    <Empty icon={Inbox} title={words.empty} action={action}>
      {words.emptyLead}
    </Empty>
  );
}

function NothingFits() {
  return (
    <Empty icon={Inbox} title={words.nothingFits}>
      {words.nothingFitsLead}
    </Empty>
  );
}
