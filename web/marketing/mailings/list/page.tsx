import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Megaphone, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Reply } from '../../../api/client.ts';
import { useMay } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Page } from '../../../ui/page.tsx';
import { usePagedRows } from '../../../ui/rows.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/mailings.ts';
import { isOver } from '../sends/send.ts';
import { SendState } from '../sends/send-state.tsx';
import { MailingActions } from './mailing-actions.tsx';
import { NewMailing } from './new-mailing.tsx';
import { type ListSearch, readListSearch } from './search.ts';

type Listed = Reply<'listCampaignMailings'>['data'][number];

const SIZE = 50;
const PAUSE_MS = 300;
const POLL_MS = 5_000;

/** Every mailing, with what became of it. */
export function MailingsPage() {
  const search = readListSearch(useSearch({ strict: false }));
  const go = useNavigate();
  const [creating, setCreating] = useState(false);
  const mayChange = useMay('editor');
  const find = (next: ListSearch) => void go({ to: '/marketing/mailings', search: next, replace: true });
  const by = search.by ?? 'updated_at';
  const order = search.order ?? 'desc';
  const rows = usePagedRows({
    op: 'listCampaignMailings',
    size: SIZE,
    input: (page) => ({
      query: {
        page: String(page),
        items: String(SIZE),
        order_by: by,
        order,
        ...(search.find === undefined ? {} : { search: `(?i)${literal(search.find)}` }),
      },
    }),
    read: (reply) => ({ rows: reply.data, count: reply.page_info?.count ?? reply.data.length }),
    pollMs: (mailings) => (mailings.some(isUnderWay) ? POLL_MS : false),
  });
  const create = (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      {words.new}
    </Button>
  );
  return (
    <Page title={words.title} lead={words.lead} actions={mayChange && create} wide>
      <SearchField value={search.find ?? ''} onChange={(text) => find({ ...search, find: text })} />
      <Table
        label={words.table}
        columns={mayChange ? [...COLUMNS, ACTIONS] : COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        sorting={{
          by,
          order,
          change: (next, way) => find({ ...search, by: next, order: way === 'asc' ? way : undefined }),
        }}
        empty={
          search.find === undefined ? (
            <Empty icon={Megaphone} title={words.empty} action={mayChange && create}>
              {words.emptyLead}
            </Empty>
          ) : (
            <Empty icon={Megaphone} title={words.nothingFound}>
              {words.nothingFoundLead}
            </Empty>
          )
        }
      />
      {creating && <NewMailing onClose={() => setCreating(false)} />}
    </Page>
  );
}

function isUnderWay({ attributes: { latest_send: latest } }: Listed): boolean {
  return latest !== null && !isOver({ attributes: latest });
}

const COLUMNS: Column<Listed>[] = [
  {
    name: words.columns.name,
    sort: 'subject',
    cell: ({ id, attributes }) => (
      <Link
        to="/marketing/mailings/$mailingId"
        params={{ mailingId: id }}
        className="font-medium text-brand underline-offset-2 hover:underline"
      >
        {attributes.subject}
      </Link>
    ),
  },
  {
    name: words.columns.latest,
    cell: ({ attributes: { latest_send: latest } }) =>
      latest === null ? (
        <span className="text-soft">{words.neverSent}</span>
      ) : (
        <Link to="/marketing/mailings/sends/$sendId" params={{ sendId: latest.id }} className="flex flex-wrap gap-2">
          <SendState state={latest.state} />
          <When at={latest.send_at} />
        </Link>
      ),
  },
  {
    name: words.columns.changed,
    sort: 'updated_at',
    wideOnly: true,
    cell: ({ attributes }) => <When at={attributes.updated_at} />,
  },
  ...(['sent', 'delivered', 'viewed', 'clicked'] as const).map(
    (name): Column<Listed> => ({
      name: words.columns[name],
      sort: name,
      align: 'right',
      wideOnly: name !== 'sent',
      cell: ({ attributes }) => attributes[name].toLocaleString('en'),
    }),
  ),
];

const ACTIONS: Column<Listed> = {
  name: words.columns.more,
  align: 'right',
  width: '4rem',
  cell: ({ id, attributes }) => <MailingActions id={id} name={attributes.subject} />,
};

/** What somebody types, to be found as it stands. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function SearchField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Field label={words.search} className="max-w-sm">
      <Input type="search" value={text} onChange={(event) => setText(event.target.value)} />
    </Field>
  );
}
