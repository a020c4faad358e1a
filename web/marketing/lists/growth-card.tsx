import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Lines } from '../../charts/lines.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/lists.ts';

const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** How a list grew and shrank by day. */
export function GrowthCard({ id }: { id: string }) {
  const [days, setDays] = useState('30');
  const read = useRead('readListGrowth', { params: { id }, query: { days } }, { keep: true });
  const period = (
    <Field label={words.period} hideLabel>
      <Select value={days} onChange={(event) => setDays(event.target.value)}>
        {Object.entries(words.periods).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  );
  return (
    <Card title={words.growthTitle} lead={words.growthLead} actions={period}>
      <Loaded read={read}>
        {({ data }) => {
          const joined = data.map((day) => day.joined);
          const left = data.map((day) => day.left);
          return (
            <>
              <Lines
                title={words.growthChart}
                labels={data.map(({ day }) => DAY.format(new Date(day)))}
                series={[
                  { name: words.joined, values: joined },
                  { name: words.left, values: left },
                ]}
              />
              <p className="mt-2 text-sm text-soft">{words.net(sum(joined), sum(left))}</p>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
