import { scaleLinear, scalePoint } from 'd3-scale';
import { line } from 'd3-shape';
import { words } from '../words/shared.ts';
import { ChartFrame } from './frame.tsx';
import { Legend } from './legend.tsx';
import { COLOURS, type Series, summaryOf, tableOf } from './series.ts';

interface LinesProps {
  title: string;
  labels: readonly string[];
  series: readonly Series[];
}

const WIDTH = 560;
const HEIGHT = 180;
const BOTTOM = 22;
const LEFT = 36;

/** Lines over days or other steps, to be compared with each other. */
export function Lines({ title, labels, series }: LinesProps) {
  const most = Math.max(4, ...series.flatMap(({ values }) => values));
  const x = scalePoint([...labels.keys()], [LEFT + 6, WIDTH - 8]);
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, 8]).nice(4);
  const path = line<number>((_value, at) => x(at) ?? 0, y);
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
        {series.map(({ name, values }, which) => (
          <path
            key={name}
            d={path([...values]) ?? ''}
            fill="none"
            stroke={COLOURS[which % COLOURS.length]}
            strokeWidth="2"
            strokeDasharray={which === 0 ? undefined : `${6 - which} ${which + 1}`}
          />
        ))}
        {labels.map((label, at) =>
          at % every === 0 ? (
            <text key={label} x={x(at)} y={HEIGHT - 6} textAnchor="middle" fontSize="11" fill="var(--soft)">
              {label}
            </text>
          ) : null,
        )}
      </svg>
      {series.length > 1 && <Legend names={series.map(({ name }) => name)} />}
    </ChartFrame>
  );
}
