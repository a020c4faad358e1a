import type { Reply } from '../api/client.ts';
import { useRead } from '../api/query.ts';
import { Card, Page } from '../ui/page.tsx';
import { Loaded } from '../ui/problem.tsx';
import { allRows } from '../ui/rows.ts';
import { type Column, Table } from '../ui/table.tsx';
import { words as all, bytesInWords } from '../words/operator.ts';

type Storage = Reply<'readStorage'>;

const words = all.storage;

/** Where the room goes. */
export function StoragePage() {
  const read = useRead('readStorage', {});
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded read={read}>
        {(storage) => (
          <>
            <div className="grid gap-4 md:grid-cols-3">
              <DiskCard {...storage} />
              <Card title={words.database}>
                <p className="text-2xl font-semibold tabular-nums">{bytesInWords(storage.database_bytes)}</p>
              </Card>
              <Card title={words.files}>
                <p className="text-2xl font-semibold tabular-nums">{bytesInWords(storage.file_bytes)}</p>
                <p className="text-sm text-soft">{words.filesCount(storage.files)}</p>
              </Card>
            </div>
            <TablesCard {...storage} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function DiskCard({ disk_free_bytes: free, disk_total_bytes: total }: Storage) {
  const used = total === 0 ? 0 : Math.round(((total - free) / total) * 100);
  return (
    <Card title={words.disk}>
      <p className="text-2xl font-semibold tabular-nums">{used} %</p>
      <div
        role="meter"
        aria-label={words.diskUsed}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={used}
        className="my-2 h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full bg-brand" style={{ width: `${used}%` }} />
      </div>
      <p className="text-sm text-soft">{words.diskFree(bytesInWords(free), bytesInWords(total))}</p>
    </Card>
  );
}

function TablesCard({ tables, database_bytes: whole }: Storage) {
  const columns: Column<Storage['tables'][number]>[] = [
    { name: words.columns.table, cell: ({ name }) => <code className="font-mono text-xs">{name}</code> },
    { name: words.columns.size, align: 'right', cell: ({ bytes }) => bytesInWords(bytes) },
    {
      name: words.columns.share,
      align: 'right',
      wideOnly: true,
      cell: ({ bytes }) => `${whole === 0 ? 0 : Math.round((bytes / whole) * 100)} %`,
    },
    { name: words.columns.rows, align: 'right', wideOnly: true, cell: ({ rows }) => rows.toLocaleString('en') },
  ];
  return (
    <Card title={words.tables}>
      <Table
        label={words.tablesLabel}
        columns={columns}
        rows={allRows(tables)}
        keyOf={({ name }) => name}
        empty={null}
        height="40rem"
      />
    </Card>
  );
}
