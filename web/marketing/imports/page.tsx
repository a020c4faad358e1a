import { Link } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import type { Reply } from '../../api/client.ts';
import { useMay } from '../../session/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { usePagedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/imports.ts';
import { ImportState, isUnderWay } from './import-state.tsx';

type Import = Reply<'listImports'>['data'][number];

const count = (value: number) => value.toLocaleString('en');

const COLUMNS: readonly Column<Import>[] = [
  {
    name: words.columns.when,
    cell: ({ id, attributes: { created_at: at } }) => (
      <Link to={`/marketing/imports/${id}`} className="font-medium text-brand underline-offset-2 hover:underline">
        <When at={at} exact />
      </Link>
    ),
  },
  { name: words.columns.state, cell: ({ attributes }) => <ImportState attributes={attributes} /> },
  { name: words.columns.rows, align: 'right', cell: ({ attributes }) => count(attributes.rows_done) },
  { name: words.columns.created, align: 'right', cell: ({ attributes }) => count(attributes.created), wideOnly: true },
  { name: words.columns.updated, align: 'right', cell: ({ attributes }) => count(attributes.updated), wideOnly: true },
  { name: words.columns.skipped, align: 'right', cell: ({ attributes }) => count(attributes.skipped), wideOnly: true },
  { name: words.columns.size, align: 'right', cell: ({ attributes }) => words.size(attributes.bytes), wideOnly: true },
];

const POLL_MS = 1_500;
const SIZE = 100;

/** All imports; one that is under way shows how far it is. */
export function ImportsPage() {
  const mayImport = useMay('editor');
  const rows = usePagedRows({
    op: 'listImports',
    size: SIZE,
    input: (page) => ({ query: { page: String(page), items: String(SIZE) } }),
    read: ({ data, page_info: { count: inAll } }) => ({ rows: data, count: inAll }),
    pollMs: (imports) => (imports.some(({ attributes }) => isUnderWay(attributes)) ? POLL_MS : false),
  });
  const create = mayImport && (
    <ButtonLink look="primary" icon={FileUp} to="/marketing/imports/new">
      {words.create}
    </ButtonLink>
  );
  return (
    <Page wide title={words.title} lead={words.lead} actions={create}>
      <Table
        label={words.label}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={FileUp} title={words.empty} action={create}>
            {words.emptyLead}
          </Empty>
        }
      />
    </Page>
  );
}
