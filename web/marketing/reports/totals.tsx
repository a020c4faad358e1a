import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/reports.ts';
import { CountOrHidden } from './hidden.tsx';
import { periodOf, queryOf, type ReportSearch } from './search.ts';

type Counts = Exclude<Reply<'readSendTotals'>['data'], unknown[]>;

const SHOWN = ['sent', 'delivered', 'viewed', 'clicked', 'bounced', 'unsubscribed', 'machine_viewed'] as const;

/** The sums of a period. */
export function Totals({ search }: { search: ReportSearch }) {
  const [now] = useState(() => new Date());
  const read = useRead('readSendTotals', { query: { ...queryOf(search), ...periodOf(search, now) } }, { keep: true });
  return (
    <Card title={words.totals} lead={words.machineNote}>
      <Loaded read={read}>
        {({ data }) => (
          <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4 xl:grid-cols-7">
            {SHOWN.map((name) => (
              <div key={name} className="flex flex-col">
                <dt className="text-sm text-soft">{words.counts[name]}</dt>
                <dd className="text-2xl font-semibold tabular-nums">
                  <CountOrHidden count={(data as Counts)[name]} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
    </Card>
  );
}
