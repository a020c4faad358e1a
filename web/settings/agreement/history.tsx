import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { allRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { words } from '../../words/settings/agreement.ts';
import { dayInWords } from './day-in-words.ts';

type Row = Reply<'listAgreements'>['data'][number];

const COLUMNS: Column<Row>[] = [
  { name: words.columns.version, cell: ({ version }) => version },
  { name: words.columns.signer, wideOnly: true, cell: ({ signer }) => signer },
  { name: words.columns.from, cell: ({ signed_on: from }) => dayInWords(from) },
  { name: words.columns.to, wideOnly: true, cell: ({ ends_on: to }) => (to === null ? words.noEnd : dayInWords(to)) },
  {
    name: words.columns.state,
    width: '7rem',
    cell: ({ in_force: inForce }) => (
      <Badge tone={inForce ? 'good' : 'plain'}>{inForce ? words.inForce : words.over}</Badge>
    ),
  },
];

/** Every agreement that was ever recorded; nothing where there was none. */
export function AgreementHistory() {
  const read = useRead('listAgreements', {});
  if (read.data?.data.length === 0) return null;
  return (
    <Card title={words.history}>
      <Loaded read={read}>
        {({ data }) => (
          <Table
            label={words.historyLabel}
            columns={COLUMNS}
            rows={allRows(data)}
            keyOf={({ id }) => id}
            empty={null}
            height="20rem"
          />
        )}
      </Loaded>
    </Card>
  );
}
