import type { ReactNode } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { words } from '../../words/drips/steps.ts';
import { END, ENTRY } from './model/links.ts';

type Statistics = Reply<'readDripStatistics'>['data'];
type StepCounts = Statistics['steps'][number];

const POLL_MS = 3_000;

/** How many are at each part of a drip, asked for again while it runs. Answers what to show at a part. */
export function useCounts(
  id: string,
  state: string,
): { statistics: Statistics | undefined; foot(part: string): ReactNode } {
  const isStarted = state !== 'draft';
  const read = useRead(
    'readDripStatistics',
    { params: { id } },
    { enabled: isStarted, ...(state === 'running' ? { pollMs: POLL_MS } : {}) },
  );
  const statistics = read.data?.data;
  const byStep = new Map(statistics?.steps.map((each) => [each.step, each]));
  return {
    statistics,
    foot: (part) => {
      if (statistics === undefined) return null;
      if (part === ENTRY) return <span>{shown(statistics.subscriber_count, words.counts.entered)}</span>;
      if (part === END) return <span>{shown(statistics.subscriber_completed_count, words.counts.arrived)}</span>;
      const counts = byStep.get(part);
      return counts === undefined ? null : <StepFoot counts={counts} />;
    },
  };
}

function StepFoot({ counts }: { counts: StepCounts }) {
  const { sent, opened, clicked, exited } = counts;
  const isMail = counts.type === 'email' && (sent ?? 0) > 0;
  return (
    <>
      <span className={(counts.waiting ?? 0) > 0 ? 'font-semibold text-brand' : undefined}>
        {shown(counts.waiting, words.counts.waiting)}
      </span>
      <span>{isMail ? shown(sent, words.counts.sent) : shown(counts.passed, words.counts.passed)}</span>
      {isMail && <span>{words.counts.opened(shareOf(opened, sent))}</span>}
      {isMail && (clicked ?? 0) > 0 && <span>{words.counts.clicked(shareOf(clicked, sent))}</span>}
      {!isMail && (exited ?? 0) > 0 && <span>{shown(exited, words.counts.left)}</span>}
    </>
  );
}

function shown(count: number | null, say: (count: number) => string): string {
  return count === null ? words.counts.few : say(count);
}

function shareOf(part: number | null, whole: number | null): number {
  return whole === null || whole === 0 ? 0 : Math.round(((part ?? 0) / whole) * 100);
}
