import { Link } from '@tanstack/react-router';
import { ClipboardCheck } from 'lucide-react';
import type { Reply } from '../api/client.ts';
import { useRead } from '../api/query.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/problem.tsx';
import { allRows } from '../ui/rows.ts';
import { type Column, Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';
import { words as all } from '../words/oversight.ts';
import { type Place, usePlace } from './place.ts';

type Line = Reply<'listReviews'>['data'][number];

const words = all.reviews;
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
export const TONES: Record<Line['state'], Tone> = { open: 'warn', overdue: 'bad', signed: 'good' };

/** The period of a review, as people say it. */
export function periodOf({ from, to }: Pick<Line, 'from' | 'to'>): string {
  return words.period(DAY.format(new Date(from)), DAY.format(new Date(to)));
}

/** The reviews of what was done. */
export function ReviewsPage() {
  const { reviews, isInstallation } = usePlace();
  const read = useRead(reviews.list, {});
  return (
    <Page title={words.title} lead={isInstallation ? words.operatorLead : words.lead}>
      <Loaded read={read}>
        {({ data }) => (
          <Table
            label={words.label}
            columns={columnsFor(reviews.one)}
            rows={allRows(data)}
            keyOf={({ id }) => id}
            empty={
              <Empty icon={ClipboardCheck} title={words.empty}>
                {words.emptyLead}
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  );
}

function columnsFor(one: Place['reviews']['one']): Column<Line>[] {
  return [
    {
      name: words.columns.period,
      cell: (line) => (
        <Link to={one} params={{ reviewId: line.id }} className="text-brand underline-offset-2 hover:underline">
          {periodOf(line)}
        </Link>
      ),
    },
    { name: words.columns.findings, align: 'right', wideOnly: true, cell: ({ findings_count: count }) => count },
    {
      name: words.columns.state,
      width: '7rem',
      cell: ({ state }) => <Badge tone={TONES[state]}>{words.states[state]}</Badge>,
    },
    { name: words.columns.due, wideOnly: true, cell: ({ due_at: at }) => <When at={at} /> },
  ];
}
