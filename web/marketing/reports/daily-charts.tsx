import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Bars } from '../../charts/bars.tsx';
import { Lines } from '../../charts/lines.tsx';
import { useMay } from '../../session/session.ts';
import { Notice } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/reports.ts';
import { CsvButton } from '../mailings/csv-button.tsx';
import { periodOf, queryOf, type ReportSearch } from './search.ts';

type Day = Extract<Reply<'readSendTotals'>['data'], unknown[]>[number];
type Name = 'delivered' | 'bounced' | 'viewed' | 'clicked' | 'unsubscribed';

const DAY_MS = 86_400_000;
const SHORT = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** What happened on each day of a period. */
export function DailyCharts({ search }: { search: ReportSearch }) {
  const [now] = useState(() => new Date());
  const query = { ...queryOf(search), ...periodOf(search, now), by_date: 'true' };
  const read = useRead('readSendTotals', { query }, { keep: true });
  const mayExport = useMay('editor');
  return (
    <Card
      title={words.byDay}
      actions={mayExport && <CsvButton op="exportSendTotals" input={{ query }} what={words.byDay} />}
    >
      <Loaded read={read}>
        {({ data }) => (
          <Charts days={data as Day[]} first={search.days === '365' ? null : query.start_date} last={query.end_date} />
        )}
      </Loaded>
    </Card>
  );
}

interface ChartsProps {
  days: readonly Day[];
  /** The day that the charts begin with; where there is none, the first on which anything happened. */
  first: string | null;
  last: string;
}

function Charts({ days, first, last }: ChartsProps) {
  if (days.length === 0) {
    return (
      <Empty icon={ChartColumn} title={words.nothing}>
        {words.nothingLead}
      </Empty>
    );
  }
  const dates = datesBetween(first ?? days[0]?.date ?? last, last);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const labels = dates.map((date) => SHORT.format(new Date(date)));
  const series = (name: Name) => ({
    name: words.counts[name],
    values: dates.map((date) => byDate.get(date)?.[name] ?? 0),
  });
  return (
    <div className="flex flex-col gap-4">
      {days.some((day) => day.small_cells_suppressed === true) && <Notice>{words.someHidden}</Notice>}
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <Bars title={words.sentChart} labels={labels} series={[series('delivered'), series('bounced')]} />
        <Lines
          title={words.reactionsChart}
          labels={labels}
          series={[series('viewed'), series('clicked'), series('unsubscribed')]}
        />
      </div>
    </div>
  );
}

function datesBetween(first: string, last: string): string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)];
  return Array.from({ length: (to - from) / DAY_MS + 1 }, (_none, at) =>
    new Date(from + at * DAY_MS).toISOString().slice(0, 10),
  );
}
