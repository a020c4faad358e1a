import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { download, type Reply } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { useChainedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { tellProblem } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/settings/audit.ts';
import { EntryDetails } from './entry-details.tsx';
import { AuditFilters } from './filters.tsx';
import { type AuditSearch, queryOf } from './search.ts';
import { Verification } from './verification.tsx';

export type Entry = Reply<'listAuditLog'>['data'][number];

/** Who did what. */
export function AuditPage() {
  const search: AuditSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const [shown, setShown] = useState<Entry | null>(null);
  const [exporting, setExporting] = useState(false);
  const query = queryOf(search);
  const rows = useChainedRows({
    op: 'listAuditLog',
    input: (after) => ({ query: { ...query, limit: 100, ...(after === undefined ? {} : { after }) } }),
    read: ({ data, next }) => ({ rows: data, next }),
  });
  const save = async () => {
    setExporting(true);
    await download('exportAuditLog', { query }, 'audit-log.csv').catch(tellProblem);
    setExporting(false);
  };
  return (
    <Page
      title={words.title}
      lead={words.lead}
      wide
      actions={
        <Button icon={Download} busy={exporting} onClick={() => void save()}>
          {words.export}
        </Button>
      }
    >
      <Verification />
      <AuditFilters
        search={search}
        onChange={(next) => void navigate({ to: '/settings/audit', search: next, replace: true })}
      />
      <Table
        label={words.label}
        columns={columnsFor(setShown)}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={ScrollText} title={words.empty}>
            {words.emptyLead}
          </Empty>
        }
      />
      {shown !== null && <EntryDetails entry={shown} onClose={() => setShown(null)} />}
    </Page>
  );
}

function columnsFor(onShow: (entry: Entry) => void): Column<Entry>[] {
  return [
    { name: words.columns.when, width: '11rem', cell: ({ at }) => <When at={at} exact /> },
    {
      name: words.columns.who,
      wideOnly: true,
      cell: ({ actor: { kind, name } }) => (
        <span className="flex min-w-0 flex-col leading-tight">
          <span className="truncate">{name ?? words.kinds[kind] ?? kind}</span>
          {name !== null && <span className="truncate text-xs text-soft">{words.kinds[kind] ?? kind}</span>}
        </span>
      ),
    },
    {
      name: words.columns.what,
      cell: (entry) => (
        <button
          type="button"
          className="min-h-6 text-left text-brand underline-offset-2 hover:underline"
          aria-label={words.detailsOf(words.told(entry.action))}
          onClick={() => onShow(entry)}
        >
          {words.told(entry.action)}
        </button>
      ),
    },
    {
      name: words.columns.about,
      wideOnly: true,
      cell: ({ target }) => <code className="font-mono text-xs text-soft">{target ?? words.none}</code>,
    },
  ];
}
