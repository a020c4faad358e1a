import type { Reply } from '../../../api/client.ts';
import { words } from '../../../words/drips.ts';

/** What has become of everybody who entered. */
export function Totals({ statistics }: { statistics: Reply<'readDripStatistics'>['data'] }) {
  const reasons = Object.entries(statistics.by_reason);
  const figures: [string, number | null][] = [
    [words.totals.entered, statistics.subscriber_count],
    [words.totals.active, statistics.active],
    [words.totals.completed, statistics.subscriber_completed_count],
    [words.totals.exited, statistics.exited],
  ];
  return (
    <div className="flex flex-wrap items-baseline gap-x-8 gap-y-2 rounded-lg border bg-surface px-4 py-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {figures.map(([label, count]) => (
          <div key={label} className="flex items-baseline gap-2">
            <dt className="text-sm text-soft">{label}</dt>
            <dd className="text-lg font-semibold tabular-nums">{count?.toLocaleString('en') ?? words.totals.few}</dd>
          </div>
        ))}
      </dl>
      {reasons.length > 0 && (
        <p className="text-sm text-soft">
          {reasons
            .map(([reason, count]) =>
              words.leftFor(words.reasons[reason as keyof typeof words.reasons] ?? reason, count),
            )
            .join(' · ')}
        </p>
      )}
    </div>
  );
}
