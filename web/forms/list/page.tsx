import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FilePlus2, FileText, SearchX } from 'lucide-react';
import { useDeferredValue } from 'react';
import type { Reply } from '../../api/client.ts';
import { useMay, useSession } from '../../session/session.ts';
import { useRemembered } from '../../session/use-remembered.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { usePagedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/forms/list.ts';
import { FormState } from '../form/state.tsx';
import { FormMenu } from './menu.tsx';
import { OpenWork } from './open-work.tsx';
import { type FormsSearch, flagsOf, readFormsSearch, SHOWN } from './search.ts';

type Row = Reply<'listForms'>['results'][number];

const PAGE_ROWS = 100;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: words.name,
    sort: 'title',
    cell: (form) => (
      <Link to="/forms/$id" params={{ id: form.id }} className="font-medium text-brand hover:underline">
        {form.title}
      </Link>
    ),
  },
  { name: words.state, cell: (form) => <FormState form={form} />, width: '9rem' },
  {
    name: words.submissions,
    sort: 'submission_count',
    align: 'right',
    width: '8rem',
    cell: (form) => form.submission_count.toLocaleString('en'),
  },
  {
    name: words.updated,
    sort: 'updated_at',
    wideOnly: true,
    width: '10rem',
    cell: (form) => <When at={form.updated_at} />,
  },
  {
    name: words.created,
    sort: 'created_at',
    wideOnly: true,
    width: '10rem',
    cell: (form) => <When at={form.created_at} />,
  },
];

/** All forms of the customer. */
export function FormsPage() {
  const search = readFormsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const mayEdit = useMay('editor');
  const customerId = useSession()?.customer?.id ?? 0;
  const [text, setText] = useRemembered('/forms', 'search', '');
  const wanted = useDeferredValue(text.trim());
  const by = search.by ?? 'updated_at';
  const order = search.order ?? 'desc';
  const change = (next: FormsSearch) =>
    void navigate({ to: '/forms/all', search: { ...search, ...next }, replace: true });
  const rows = usePagedRows<'listForms', Row>({
    op: 'listForms',
    input: (page) => ({
      query: {
        customer_id: String(customerId),
        ...flagsOf(search.show),
        ...(wanted === '' ? {} : { search: wanted }),
        order_by: by,
        order,
        page: String(page),
        items: String(PAGE_ROWS),
      },
    }),
    read: ({ results, page_info }) => ({ rows: results, count: page_info.count }),
    size: PAGE_ROWS,
  });
  const columns = mayEdit
    ? [...COLUMNS, { name: words.actions, width: '4rem', cell: (form: Row) => <FormMenu form={form} /> }]
    : COLUMNS;
  const isFiltered = wanted !== '' || (search.show ?? 'all') !== 'all';
  return (
    <Page
      title={words.title}
      lead={words.lead}
      wide
      actions={
        mayEdit && (
          <ButtonLink to="/forms/new" look="primary" icon={FilePlus2}>
            {words.newForm}
          </ButtonLink>
        )
      }
    >
      {mayEdit && <OpenWork />}
      <div className="flex flex-wrap items-end gap-3">
        <Field label={words.search} className="w-full sm:w-72">
          <Input
            type="search"
            value={text}
            placeholder={words.searchHint}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        <Field label={words.show} className="w-full sm:w-56">
          <Select
            value={search.show ?? 'all'}
            onChange={({ target }) => change({ show: SHOWN.find((each) => each === target.value) ?? 'all' })}
          >
            {SHOWN.map((each) => (
              <option key={each} value={each}>
                {words.filters[each]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Table
        label={words.table}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        sorting={{ by, order, change: (next, direction) => change(readFormsSearch({ by: next, order: direction })) }}
        empty={
          isFiltered ? (
            <Empty
              icon={SearchX}
              title={words.noneFoundTitle}
              action={
                <Button
                  onClick={() => {
                    setText('');
                    change({ show: 'all' });
                  }}
                >
                  {words.showAll}
                </Button>
              }
            >
              {words.noneFoundText}
            </Empty>
          ) : (
            <Empty
              icon={FileText}
              title={words.noneTitle}
              action={
                mayEdit && (
                  <ButtonLink to="/forms/new" look="primary" icon={FilePlus2}>
                    {words.newForm}
                  </ButtonLink>
                )
              }
            >
              {words.noneText}
            </Empty>
          )
        }
      />
    </Page>
  );
}
