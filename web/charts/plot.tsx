import type { ScaleLinear } from 'd3-scale';
import { Fragment, type ReactNode } from 'react';
import { words } from '../words/shared.ts';
import { ChartFrame } from './frame.tsx';
import { Legend } from './legend.tsx';
import { type Series, summaryOf, tableOf } from './series.ts';

const WIDTH = 560;
const HEIGHT = 180;
const FOOT = 22;
const MOST_LABELS = 10;

/** Where series may be drawn. */
export const AREA = { left: 36, right: WIDTH, top: 8, bottom: HEIGHT - FOOT } as const;

export interface PlotProps {
  title: string;
  /** The days or other steps, from left to right. */
  labels: readonly string[];
  series: readonly Series[];
}

interface DrawnProps extends PlotProps {
  /** The middle of a step. */
  xOf(at: number): number;
  y: ScaleLinear<number, number>;
  /** The series, drawn. */
  children: ReactNode;
}

/** What is drawn over steps, with its axes and its legend. */
export function Plot({ title, labels, series, xOf, y, children }: DrawnProps) {
  const every = Math.ceil(labels.length / MOST_LABELS);
  return (
    <ChartFrame
      title={title}
      summary={summaryOf(title, series)}
      head={[words.day, ...series.map(({ name }) => name)]}
      rows={tableOf(labels, series)}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="w-full" aria-hidden>
        {y.ticks(4).map((tick) => (
          <Fragment key={tick}>
            <line x1={AREA.left} x2={AREA.right} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
            <text x={AREA.left - 6} y={y(tick) + 4} textAnchor="end" fontSize="11" fill="var(--soft)">
              {tick.toLocaleString('en', { notation: 'compact' })}
            </text>
          </Fragment>
        ))}
        {children}
        {labels.map((label, at) =>
          at % every === 0 ? (
            <text key={label} x={xOf(at)} y={HEIGHT - 6} textAnchor="middle" fontSize="11" fill="var(--soft)">
              {label}
            </text>
          ) : null,
        )}
      </svg>
      {series.length > 1 && <Legend names={series.map(({ name }) => name)} />}
    </ChartFrame>
  );
}
