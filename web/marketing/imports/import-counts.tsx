import { words } from '../../words/imports.ts';
import type { ImportAttributes } from './import-state.tsx';

/** The figures of an import, each with what it means. */
export function ImportCounts({ attributes }: { attributes: ImportAttributes }) {
  const { counts } = words;
  const undone = attributes.state === 'undoing' || attributes.state === 'undone';
  const figures: [string, number][] = [
    [counts.rows, attributes.rows_done],
    [counts.created, attributes.created],
    [counts.updated, attributes.updated],
    [counts.unchanged, attributes.unchanged],
    [counts.skipped, attributes.skipped],
    [counts.optedOut, attributes.opted_out],
    ...(undone
      ? ([
          [counts.removed, attributes.removed],
          [counts.restored, attributes.restored],
          [counts.kept, attributes.kept],
        ] as [string, number][])
      : []),
  ];
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
      {figures.map(([label, value]) => (
        <div key={label} className="flex flex-col-reverse justify-end">
          <dt className="text-sm text-soft">{label}</dt>
          <dd className="text-2xl font-semibold tabular-nums">{value.toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  );
}
