import { useNavigate, useSearch } from '@tanstack/react-router';
import { Checkbox, Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { words } from '../../words/reports.ts';
import { DailyCharts } from './daily-charts.tsx';
import { type ReportSearch, readReportSearch } from './search.ts';
import { SendsReport } from './sends-report.tsx';
import { Totals } from './totals.tsx';

/** What became of everything that was mailed, in numbers, day by day and send by send. */
export function ReportsPage() {
  const search = readReportSearch(useSearch({ strict: false }));
  const go = useNavigate();
  const set = (change: Partial<ReportSearch>) =>
    void go({ to: '/marketing/reports', search: { ...search, ...change }, replace: true });
  return (
    <Page title={words.title} lead={words.lead} wide>
      <div className="flex flex-wrap items-end gap-4">
        <Field label={words.period} className="w-44">
          <Select value={search.days} onChange={(event) => set({ days: event.target.value as ReportSearch['days'] })}>
            {Object.entries(words.periods).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={words.kind} className="w-72">
          <Select value={search.kind} onChange={(event) => set({ kind: event.target.value as ReportSearch['kind'] })}>
            {Object.entries(words.kinds).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Checkbox
          label={words.hideSmall}
          hint={words.hideSmallHint}
          checked={search.hide}
          onChange={() => set({ hide: !search.hide })}
        />
      </div>
      <Totals search={search} />
      <DailyCharts search={search} />
      <SendsReport search={search} />
    </Page>
  );
}
