import { type ReactNode, useId, useState } from 'react';
import { words } from '../words/shared.ts';

interface ChartFrameProps {
  title: string;
  /** The chart in a sentence, for those who do not see it. */
  summary: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  children: ReactNode;
}

/** A chart with its title, and the same numbers as a table for whoever prefers them. */
export function ChartFrame({ title, summary, head, rows, children }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <figure aria-labelledby={id} className="flex flex-col gap-2">
      <figcaption className="flex items-baseline justify-between gap-2">
        <span id={id} className="text-sm font-medium">
          {title}
        </span>
        <button
          type="button"
          className="text-xs text-brand underline underline-offset-2"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? words.asChart : words.asTable}
        </button>
      </figcaption>
      {asTable ? (
        <NumbersTable head={head} rows={rows} />
      ) : (
        <div role="img" aria-label={summary}>
          {children}
        </div>
      )}
    </figure>
  );
}

function NumbersTable({ head, rows }: Pick<ChartFrameProps, 'head' | 'rows'>) {
  return (
    <table className="w-full text-sm">
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col" className="py-1 text-left font-medium text-soft">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={String(row[0])}>
            {row.map((cell, at) => (
              <td key={head[at]} className="border-t py-1 tabular-nums">
                {typeof cell === 'number' ? cell.toLocaleString('en') : cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
