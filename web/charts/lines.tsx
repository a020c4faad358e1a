import { scaleLinear, scalePoint } from 'd3-scale';
import { line } from 'd3-shape';
import { AREA, Plot, type PlotProps } from './plot.tsx';
import { COLOURS } from './series.ts';

/** Lines over days or other steps, to be compared with each other. */
export function Lines({ title, labels, series }: PlotProps) {
  const most = Math.max(4, ...series.flatMap(({ values }) => values));
  const x = scalePoint([...labels.keys()], [AREA.left + 6, AREA.right - 8]);
  const y = scaleLinear([0, most], [AREA.bottom, AREA.top]).nice(4);
  const xOf = (at: number) => x(at) ?? 0;
  const path = line<number>((_value, at) => xOf(at), y);
  return (
    <Plot title={title} labels={labels} series={series} xOf={xOf} y={y}>
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
    </Plot>
  );
}
