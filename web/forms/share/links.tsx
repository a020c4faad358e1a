import { Link } from '@tanstack/react-router';
import { LinkIcon } from 'lucide-react';
import { useState } from 'react';
import type { Operation, Reply } from '../../api/client.ts';
import { useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { usePagedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/forms/share.ts';
import { MakeLinks } from './make-links.tsx';

type OneLink = Reply<'listFormLinks'>['data'][number];

const STALE: Operation[] = ['listFormLinks'];
const SIZE = 50;

const COLUMNS: readonly Column<OneLink>[] = [
  { name: words.linkColumns.state, cell: (link) => <LinkState link={link} /> },
  { name: words.linkColumns.until, cell: ({ expires_at: at }) => <When at={at} exact /> },
];

/** Links that take one submission each, and what became of them. */
export function Links({ formId }: { formId: string }) {
  const mayEdit = useMay('editor');
  const [isMaking, setIsMaking] = useState(false);
  const rows = usePagedRows({
    op: 'listFormLinks',
    size: SIZE,
    input: (page) => ({ params: { id: formId }, query: { page: String(page), items: String(SIZE) } }),
    read: ({ data, total }) => ({ rows: data, count: total }),
  });
  const remove = useWrite('deleteFormLink', { stale: STALE, onDone: () => tell(words.takenBack) });
  const takeBack = (lid: string) => remove.mutate({ params: { id: formId, lid } }, { onError: tellProblem });
  const then: Column<OneLink> = {
    name: words.linkColumns.then,
    align: 'right',
    cell: ({ id, used_at: usedAt, submission_id: sid }) => {
      if (usedAt === null) return <Button onClick={() => takeBack(id)}>{words.takeBack}</Button>;
      if (sid === null) return null;
      return (
        <Link to="/forms/$id/submissions/$sid" params={{ id: formId, sid }} className="text-brand hover:underline">
          {words.seeSubmission}
        </Link>
      );
    },
  };
  return (
    <Card
      title={words.links}
      lead={words.linksLead}
      actions={
        mayEdit && (
          <Button icon={LinkIcon} onClick={() => setIsMaking(true)}>
            {words.makeLinks}
          </Button>
        )
      }
    >
      <Table
        label={words.links}
        height="24rem"
        columns={mayEdit ? [...COLUMNS, then] : COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        empty={<p className="text-sm text-soft">{words.noLinks}</p>}
      />
      <MakeLinks formId={formId} open={isMaking} onClose={() => setIsMaking(false)} />
    </Card>
  );
}

function LinkState({ link }: { link: OneLink }) {
  if (link.used_at !== null) return <Badge tone="good">{words.linkStates.used}</Badge>;
  const isOver = new Date(link.expires_at).getTime() < Date.now();
  return isOver ? <Badge>{words.linkStates.expired}</Badge> : <Badge tone="info">{words.linkStates.open}</Badge>;
}
