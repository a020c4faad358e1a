import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/query.ts';
import { Bars } from '../../charts/bars.tsx';
import { useMay } from '../../session/session.ts';
import { Card, Facts } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/forms/form.ts';
import { Findings } from './findings.tsx';
import { type Form, FormFrame } from './frame.tsx';
import { Publishing } from './publishing.tsx';

const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** How a form stands: what came, whether it is open, and what to mend. */
export function OverviewPage() {
  return <FormFrame>{(form) => <Overview form={form} />}</FormFrame>;
}

function Overview({ form }: { form: Form }) {
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="flex min-w-0 flex-col gap-5">
        <Activity form={form} />
        <Findings formId={form.id} />
      </div>
      <div className="flex flex-col gap-5">
        <Publishing form={form} />
        <Card title={words.facts}>
          <Facts
            facts={[
              [words.version, form.version],
              [words.told, form.recipient ?? words.nobody],
              [words.signed, form.signable ? words.yes : words.no],
              [words.made, <When key="made" at={form.created_at} exact />],
              [words.changed, <When key="changed" at={form.updated_at} exact />],
              [
                words.id,
                <code key="id" className="font-mono text-xs break-all">
                  {form.id}
                </code>,
              ],
            ]}
          />
        </Card>
      </div>
    </div>
  );
}

function Activity({ form }: { form: Form }) {
  const read = useRead('readFormActivity', { params: { id: form.id } });
  const mayRead = useMay('editor');
  return (
    <Loaded read={read}>
      {({ data }) => (
        <>
          <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            {(
              [
                [words.new, data.new, 'new'],
                [words.inWork, data.in_work, 'in_work'],
                [words.done, data.done, 'done'],
                [words.all, data.new + data.in_work + data.done, undefined],
              ] as const
            ).map(([label, count, state]) => (
              <li key={label} className="rounded-lg border bg-surface p-4">
                <p className="text-sm text-soft">{label}</p>
                <p className="text-2xl font-semibold tabular-nums">
                  {mayRead ? (
                    <Link
                      to="/forms/$id/submissions"
                      params={{ id: form.id }}
                      search={state === undefined ? {} : { state }}
                      className="text-brand hover:underline"
                      aria-label={`${label}: ${count}`}
                    >
                      {count.toLocaleString('en')}
                    </Link>
                  ) : (
                    count.toLocaleString('en')
                  )}
                </p>
              </li>
            ))}
          </ul>
          <Card>
            <Bars
              title={words.perDay}
              labels={data.days.map(({ day }) => DAY.format(new Date(day)))}
              series={[{ name: words.perDaySeries, values: data.days.map(({ submissions }) => submissions) }]}
            />
          </Card>
        </>
      )}
    </Loaded>
  );
}
