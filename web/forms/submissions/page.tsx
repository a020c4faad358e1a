import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Download, Inbox, SearchX, Share2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRemembered } from '../../session/use-remembered.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { usePagedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/forms/submissions.ts';
import { ExportDialog } from '../exports/export-dialog.tsx';
import { type Form, FormFrame } from '../form/frame.tsx';
import { type Before, Bulk } from './bulk.tsx';
import { Filters } from './filters.tsx';
import { previewOf } from './preview.ts';
import { momentsOf, readSubmissionsSearch, STATES, type SubmissionsSearch } from './search.ts';
import { useTeam } from './team.ts';
import { beginWalk } from './walk.ts';
import { WorkState } from './work-state.tsx';

type Row = Reply<'listSubmissions'>['data'][number];

const PAGE_ROWS = 100;

/** So many rows above and below what is in sight can be gone through one by one. */
const WALKED = 100;

/** The submissions of a form. */
export function SubmissionsPage() {
  const [isExporting, setIsExporting] = useState(false);
  return (
    <FormFrame
      actions={
        <Button icon={Download} onClick={() => setIsExporting(true)}>
          {words.export}
        </Button>
      }
    >
      {(form) => (
        <>
          <Submissions form={form} />
          <ExportDialog form={form} open={isExporting} onClose={() => setIsExporting(false)} />
        </>
      )}
    </FormFrame>
  );
}

function Submissions({ form }: { form: Form }) {
  const search = readSubmissionsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const { assignable, nameOf } = useTeam();
  const [email, setEmail] = useRemembered(`/forms/${form.id}/submissions`, 'email', '');
  const [chosen, setChosen] = useState<ReadonlyMap<string, Before>>(new Map());
  const inSight = useRef({ first: 0, last: 0 });
  const by = search.by ?? 'created_at';
  const order = search.order ?? 'desc';
  const change = (next: SubmissionsSearch) => {
    setChosen(new Map());
    void navigate({ to: '/forms/$id/submissions', params: { id: form.id }, search: next, replace: true });
  };
  const find = (address: string) => {
    setChosen(new Map());
    setEmail(address);
  };
  const rows = usePagedRows<'listSubmissions', Row>({
    op: 'listSubmissions',
    input: (page) => ({
      params: { id: form.id },
      query: {
        ...(search.state === undefined ? {} : { work_state: search.state }),
        ...(search.whose === undefined ? {} : { assignee_id: search.whose }),
        ...momentsOf(search),
        ...(email === '' ? {} : { submitter_email: email }),
        order_by: by,
        order,
        page: String(page),
        items: String(PAGE_ROWS),
      },
    }),
    read: ({ data, total }) => ({ rows: data, count: total }),
    size: PAGE_ROWS,
  });
  const choose = (ids: ReadonlySet<string>) => {
    const { first, last } = inSight.current;
    const shown = Array.from({ length: last - first + 1 }, (_none, at) => rows.rowAt(first + at));
    const known = new Map([
      ...chosen,
      ...shown.flatMap((row) => (row === undefined ? [] : [[row.id, beforeOf(row)] as const])),
    ]);
    setChosen(new Map([...known].filter(([id]) => ids.has(id))));
  };
  const goThrough = () => {
    const { first, last } = inSight.current;
    const from = Math.max(0, first - WALKED);
    const near = Array.from({ length: last + WALKED + 1 - from }, (_none, at) => rows.rowAt(from + at)?.id);
    beginWalk(
      form.id,
      near.filter((id) => id !== undefined),
    );
  };
  const isFiltered = email !== '' || Object.keys(search).some((name) => name !== 'by' && name !== 'order');
  return (
    <>
      <Filters search={search} people={assignable} email={email} onChange={change} onEmail={find} />
      {chosen.size > 0 && (
        <Bulk formId={form.id} chosen={chosen} people={assignable} onNone={() => setChosen(new Map())} />
      )}
      <Table
        label={words.table}
        columns={columnsFor(form.id, nameOf, goThrough)}
        rows={{
          ...rows,
          show: (first, last) => {
            inSight.current = { first, last };
            rows.show(first, last);
          },
        }}
        keyOf={({ id }) => id}
        sorting={{
          by,
          order,
          change: (next, direction) => change({ ...search, ...readSubmissionsSearch({ by: next, order: direction }) }),
        }}
        selection={{ ids: new Set(chosen.keys()), idOf: ({ id }) => id, change: choose }}
        empty={<NoSubmissions formId={form.id} isFiltered={isFiltered} />}
      />
    </>
  );
}

function NoSubmissions({ formId, isFiltered }: { formId: string; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty icon={SearchX} title={words.noneFoundTitle}>
        {words.noneFoundText}
      </Empty>
    );
  }
  return (
    <Empty
      icon={Inbox}
      title={words.noneTitle}
      action={
        <ButtonLink to="/forms/$id/share" params={{ id: formId }} icon={Share2}>
          {words.share}
        </ButtonLink>
      }
    >
      {words.noneText}
    </Empty>
  );
}

function beforeOf(row: Row): Before {
  return { state: STATES.find((each) => each === row.work_state) ?? 'new', assignee: row.assignee_id };
}

function columnsFor(
  formId: string,
  nameOf: (id: string) => string | null,
  goThrough: () => void,
): readonly Column<Row>[] {
  return [
    {
      name: words.received,
      sort: 'created_at',
      width: '11rem',
      cell: (row) => (
        <Link
          to="/forms/$id/submissions/$sid"
          params={{ id: formId, sid: row.id }}
          onClick={goThrough}
          className="font-medium text-brand hover:underline"
        >
          <When at={row.created_at} exact />
        </Link>
      ),
    },
    {
      name: words.submitter,
      sort: 'submitter_email',
      cell: (row) => row.submitter_email ?? <span className="text-soft">{words.anonymous}</span>,
    },
    {
      name: words.answers,
      wideOnly: true,
      cell: (row) => <span className="text-soft">{row.sealed === null ? previewOf(row.form_data) : words.sealed}</span>,
    },
    {
      name: words.state,
      width: '8rem',
      cell: (row) => <WorkState state={row.work_state} />,
    },
    {
      name: words.signatures,
      wideOnly: true,
      width: '11rem',
      cell: (row) =>
        row.awaiting_signatures > 0 && <Badge tone="warn">{words.awaiting(row.awaiting_signatures)}</Badge>,
    },
    {
      name: words.assignee,
      wideOnly: true,
      width: '11rem',
      cell: (row) =>
        row.assignee_id === null ? (
          <span className="text-soft">{words.nobody}</span>
        ) : (
          (nameOf(row.assignee_id) ?? words.unknownPerson)
        ),
    },
    {
      name: words.notes,
      wideOnly: true,
      align: 'right',
      width: '5rem',
      cell: (row) => (row.note_count === 0 ? '' : row.note_count),
    },
  ];
}
