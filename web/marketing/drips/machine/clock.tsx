import { ChevronsRight, Pause, Play, RotateCcw, StepForward } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { words } from '../../../words/drips/machine.ts';
import { momentText } from './moment-text.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const BEAT_MS = 900;

interface ClockProps {
  now: number;
  startAt: number;
  /** When anything happens. */
  moments: readonly number[];
  onMove(to: number): void;
}

/** A clock that goes when it is told to: to what happens next, by an hour, a day or a week, or by itself. */
export function Clock({ now, startAt, moments, onMove }: ClockProps) {
  const [isPlaying, setIsPlaying] = useState(false);
  const slider = useId();
  const last = moments.at(-1) ?? startAt;
  const end = Math.max(last, startAt + HOUR);
  const next = moments.find((moment) => moment > now) ?? null;
  const moveBy = (ms: number) => onMove(Math.min(end, now + ms));

  useEffect(() => {
    const beat = setTimeout(() => {
      if (!isPlaying) return;
      if (next === null) setIsPlaying(false);
      else onMove(next);
    }, BEAT_MS);
    return () => clearTimeout(beat);
  }, [isPlaying, next, onMove]);

  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-sm text-soft">{words.now}</span>
        <output aria-label={words.now} className="text-xl font-semibold tabular-nums">
          {momentText(now)}
        </output>
        <span className="text-sm text-soft">{next === null ? words.over : words.upNext(momentText(next))}</span>
      </p>
      <label htmlFor={slider} className="sr-only">
        {words.slider}
      </label>
      <input
        id={slider}
        type="range"
        className="w-full accent-brand"
        min={startAt}
        max={end}
        step={60_000}
        value={now}
        aria-valuetext={momentText(now)}
        onChange={(event) => onMove(Number(event.target.value))}
      />
      <div role="group" aria-label={words.controls} className="flex flex-wrap gap-2">
        <Button icon={RotateCcw} onClick={() => onMove(startAt)}>
          {words.back}
        </Button>
        <Button icon={StepForward} disabled={next === null} onClick={() => next !== null && onMove(next)}>
          {words.next}
        </Button>
        <Button onClick={() => moveBy(HOUR)}>{words.hour}</Button>
        <Button onClick={() => moveBy(DAY)}>{words.day}</Button>
        <Button onClick={() => moveBy(WEEK)}>{words.week}</Button>
        <Button icon={ChevronsRight} onClick={() => onMove(end)}>
          {words.toEnd}
        </Button>
        <Button
          look="primary"
          icon={isPlaying ? Pause : Play}
          disabled={!isPlaying && next === null}
          onClick={() => setIsPlaying(!isPlaying)}
        >
          {isPlaying ? words.pause : words.play}
        </Button>
      </div>
    </div>
  );
}
