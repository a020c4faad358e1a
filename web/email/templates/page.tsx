import { Link } from '@tanstack/react-router';
import { FileCode2, Plus } from 'lucide-react';
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
import { words } from '../../words/email/templates.ts';
import { CreateTemplate } from './create-template.tsx';

type Row = Reply<'listTemplates'>[number];

const COLUMNS: Column<Row>[] = [
  {
    name: words.columns.name,
    cell: ({ id, name }) => (
      <Link
        to="/email/templates/$id"
        params={{ id: String(id) }}
        className="font-medium text-brand underline-offset-2 hover:underline"
      >
        {name}
      </Link>
    ),
  },
  { name: words.columns.id, width: '8rem', align: 'right', cell: ({ id }) => id },
];

/** Every template. */
export function TemplatesPage() {
  const read = useRead('listTemplates', {});
  const [creating, setCreating] = useState(false);
  const mayEdit = useMay('editor');
  const create = mayEdit ? (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      {words.create}
    </Button>
  ) : null;
  return (
    <Page title={words.title} lead={words.lead} actions={create}>
      <Loaded read={read}>
        {(templates) => (
          <Table
            label={words.label}
            columns={COLUMNS}
            rows={allRows(templates.toReversed())}
            keyOf={({ id }) => String(id)}
            empty={
              <Empty icon={FileCode2} title={words.empty} action={create}>
                {words.emptyLead}
              </Empty>
            }
          />
        )}
      </Loaded>
      {creating && <CreateTemplate onClose={() => setCreating(false)} />}
    </Page>
  );
}
