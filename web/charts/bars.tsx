import { scaleBand, scaleLinear } from 'd3-scale';
import { words } from '../words/shared.ts';
import { ChartFrame } from './frame.tsx';
import { Legend } from './legend.tsx';
import { COLOURS, type Series, summaryOf, tableOf } from './series.ts';

interface BarsProps {
  title: string;
  labels: readonly string[];
  /** Stacked in this order. */
  series: readonly Series[];
}

const WIDTH = 560;
const HEIGHT = 180;
const BOTTOM = 22;
const LEFT = 36;

/** Bars over days or other steps, stacked where there are several series. */
export function Bars({ title, labels, series }: BarsProps) {
  const sums = labels.map((_label, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const x = scaleBand([...labels.keys()], [LEFT, WIDTH]).padding(0.25);
  const y = scaleLinear([0, Math.max(4, ...sums)], [HEIGHT - BOTTOM, 8]).nice(4);
  const every = Math.ceil(labels.length / 10);
  return (
    <ChartFrame
      title={title}
      summary={summaryOf(title, series)}
      head={[words.day, ...series.map(({ name }) => name)]}
      rows={tableOf(labels, series)}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="w-full" aria-hidden>
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
            <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end" fontSize="11" fill="var(--soft)">
              {tick.toLocaleString('en', { notation: 'compact' })}
            </text>
          </g>
        ))}
        {labels.map((label, at) => {
          let below = 0;
          return (
            <g key={label}>
              {series.map(({ name, values }, which) => {
                const value = values[at] ?? 0;
                const top = y(below + value);
                const height = y(below) - top;
                below += value;
                return (
                  <rect
                    key={name}
                    x={x(at)}
                    y={top}
                    width={x.bandwidth()}
                    height={height}
                    fill={COLOURS[which % COLOURS.length]}
                    rx="2"
                  />
                );
              })}
              {at % every === 0 && (
                <text
                  x={(x(at) ?? 0) + x.bandwidth() / 2}
                  y={HEIGHT - 6}
                  textAnchor="middle"
                  fontSize="11"
                  fill="var(--soft)"
                >
                  {label}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      {series.length > 1 && <Legend names={series.map(({ name }) => name)} />}
    </ChartFrame>
  );
}
