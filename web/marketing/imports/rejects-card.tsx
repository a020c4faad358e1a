import { Download } from 'lucide-react';
import { useState } from 'react';
import { download, type Reply } from '../../api/client.ts';
import { inWords } from '../../api/in-words.ts';
import { useRead } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { allRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/imports.ts';

type Reject = Reply<'listImportRejects'>['data'][number];

const COLUMNS: readonly Column<Reject>[] = [
  { name: words.rejectColumns.line, align: 'right', width: '6rem', cell: ({ line }) => line.toLocaleString('en') },
  { name: words.rejectColumns.reasons, cell: ({ reasons }) => reasons.map(inWords).join('; ') },
];

/** The rows of a file that were not taken, with the reasons. */
export function RejectsCard({ id, skipped }: { id: string; skipped: number }) {
  const read = useRead('listImportRejects', { params: { id } });
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    await download('exportImportRejects', { params: { id } }, words.rejectsFile).catch(tellProblem);
    setBusy(false);
  };
  const csv = (
    <Button icon={Download} busy={isBusy} onClick={() => void save()}>
      {words.rejectsCsv}
    </Button>
  );
  return (
    <Card title={words.rejectsTitle} lead={words.rejectsLead} actions={csv}>
      <Loaded read={read}>
        {({ data }) => (
          <div className="flex flex-col gap-2">
            <Table
              label={words.rejectsLabel}
              columns={COLUMNS}
              rows={allRows(data)}
              keyOf={({ line }) => String(line)}
              height="20rem"
              empty={null}
            />
            {data.length < skipped && <p className="text-sm text-soft">{words.rejectsMore(data.length, skipped)}</p>}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
