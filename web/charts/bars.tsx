import { scaleBand, scaleLinear } from 'd3-scale';
import { AREA, Plot, type PlotProps } from './plot.tsx';
import { COLOURS } from './series.ts';

/** Bars over days or other steps, stacked in the order of the series where there are several. */
export function Bars({ title, labels, series }: PlotProps) {
  const sums = labels.map((_label, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const x = scaleBand([...labels.keys()], [AREA.left, AREA.right]).padding(0.25);
  const y = scaleLinear([0, Math.max(4, ...sums)], [AREA.bottom, AREA.top]).nice(4);
  const xOf = (at: number) => (x(at) ?? 0) + x.bandwidth() / 2;
  return (
    <Plot title={title} labels={labels} series={series} xOf={xOf} y={y}>
      {labels.map((label, at) => {
        let below = 0;
        return series.map(({ name, values }, which) => {
          const top = y(below + (values[at] ?? 0));
          const height = y(below) - top;
          below += values[at] ?? 0;
          return (
            <rect
              key={`${label} ${name}`}
              x={x(at)}
              y={top}
              width={x.bandwidth()}
              height={height}
              fill={COLOURS[which % COLOURS.length]}
              rx="2"
            />
          );
        });
      })}
    </Plot>
  );
}
