import { words } from '../words/shared.ts';

const FULL = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS: [limit: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [7 * 86_400, 'day', 86_400],
];

/** A moment: near ones as "5 minutes ago", others by date; the exact time on hovering and for machines. */
export function When({ at, exact = false }: { at: string | null | undefined; exact?: boolean }) {
  if (at === null || at === undefined) return <span className="text-soft">{words.never}</span>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={FULL.format(moment)}>
      {exact ? FULL.format(moment) : momentInWords(moment, new Date())}
    </time>
  );
}

/** How long ago or until when, as people say it. */
function momentInWords(moment: Date, now: Date): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  const step = STEPS.find(([limit]) => Math.abs(seconds) < limit);
  return step === undefined ? DAY.format(moment) : AGO.format(Math.round(seconds / step[2]), step[1]);
}
