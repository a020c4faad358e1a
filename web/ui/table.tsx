import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { words } from '../words/shared.ts';
import { classes } from './classes.ts';
import { Loading, Problem } from './problem.tsx';
import type { Rows } from './rows.ts';

export interface Column<Row> {
  name: string;
  cell(row: Row): ReactNode;
  /** The name by which the server sorts; without it the column does not sort. */
  sort?: string;
  width?: string;
  align?: 'right';
  /** Is left out where the window is narrow. */
  wideOnly?: boolean;
}

export interface Sorting {
  by: string;
  order: 'asc' | 'desc';
  change(by: string, order: 'asc' | 'desc'): void;
}

export interface Selection<Row> {
  ids: ReadonlySet<string>;
  idOf(row: Row): string;
  change(ids: ReadonlySet<string>): void;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: Rows<Row>;
  keyOf(row: Row): string;
  sorting?: Sorting;
  selection?: Selection<Row>;
  /** What stands here where there is no row. */
  empty: ReactNode;
  /** Set where the table shall be no taller than this; otherwise it takes what the window has. */
  height?: string;
}

const ROW_PX = 45;
/** Browsers draw nothing beyond some 33 million pixels. */
const MOST_ROWS = 600_000;

/** A table of any length: only the rows in sight are drawn, and only those are asked for. */
export function Table<Row>({ label, columns, rows, keyOf, sorting, selection, empty, height }: TableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const count = Math.min(rows.count, MOST_ROWS);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const { show } = rows;
  useEffect(() => show(first, last), [show, first, last]);
  if (rows.error !== null && count === 0) return <Problem error={rows.error} onRetry={rows.refetch} />;
  if (rows.isPending) return <Loading />;
  if (count === 0) return empty;
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const span = columns.length + (selection === undefined ? 0 : 1);
  return (
    <>
      {rows.error !== null && <Problem error={rows.error} onRetry={rows.refetch} />}
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={label}
        className="relative overflow-auto rounded-lg border bg-surface"
        style={{ maxHeight: height ?? 'max(20rem, calc(100dvh - 17rem))' }}
      >
        <table className="w-full border-separate border-spacing-0 text-sm" aria-rowcount={count + 1}>
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr aria-rowindex={1}>
              {selection !== undefined && (
                <SelectAll rows={rows} items={items.map(({ index }) => index)} selection={selection} />
              )}
              {columns.map((column) => (
                <HeadCell key={column.name} column={column as Column<unknown>} sorting={sorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            {above > 0 && <Spacer span={span} px={above} />}
            {items.map(({ index }) => {
              const row = rows.rowAt(index);
              return row === undefined ? (
                <tr key={`waiting-${index}`} aria-rowindex={index + 2}>
                  <td colSpan={span} style={{ height: ROW_PX }} className="border-t px-3">
                    <span className="block h-3 w-1/3 animate-pulse rounded bg-sunken" />
                  </td>
                </tr>
              ) : (
                <tr key={keyOf(row)} aria-rowindex={index + 2} className="hover:bg-sunken/60">
                  {selection !== undefined && <SelectRow row={row} selection={selection} />}
                  {columns.map((column) => (
                    <td
                      key={column.name}
                      style={{ height: ROW_PX }}
                      className={classes(
                        'max-w-80 truncate border-t px-3',
                        column.align === 'right' && 'text-right tabular-nums',
                        column.wideOnly === true && 'hidden md:table-cell',
                      )}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              );
            })}
            {below > 0 && <Spacer span={span} px={below} />}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Spacer({ span, px }: { span: number; px: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height: px }} />
    </tr>
  );
}

const HEAD = 'sticky top-0 z-10 bg-surface px-3 py-2 text-left text-xs font-semibold text-soft whitespace-nowrap';

function HeadCell({ column, sorting }: { column: Column<unknown>; sorting: Sorting | undefined }) {
  const isSorted = sorting !== undefined && column.sort === sorting.by;
  const look = classes(
    HEAD,
    column.align === 'right' && 'text-right',
    column.wideOnly === true && 'hidden md:table-cell',
  );
  const width = column.width === undefined ? {} : { style: { width: column.width } };
  if (sorting === undefined || column.sort === undefined) {
    return (
      <th scope="col" className={look} {...width}>
        {column.name}
      </th>
    );
  }
  const { sort } = column;
  const turn = () => sorting.change(sort, isSorted && sorting.order === 'asc' ? 'desc' : 'asc');
  return (
    <th
      scope="col"
      className={look}
      aria-sort={isSorted ? (sorting.order === 'asc' ? 'ascending' : 'descending') : 'none'}
      {...width}
    >
      <button type="button" onClick={turn} className="inline-flex items-center gap-1" title={words.sortBy(column.name)}>
        {column.name}
        {isSorted &&
          (sorting.order === 'asc' ? (
            <ArrowUp aria-hidden className="size-3" />
          ) : (
            <ArrowDown aria-hidden className="size-3" />
          ))}
      </button>
    </th>
  );
}

function SelectRow<Row>({ row, selection }: { row: Row; selection: Selection<Row> }) {
  const id = selection.idOf(row);
  return (
    <td className="w-10 border-t px-3">
      <input
        type="checkbox"
        aria-label={words.selectRow}
        className="size-4 accent-brand"
        checked={selection.ids.has(id)}
        onChange={() => selection.change(new Set([id]).symmetricDifference(selection.ids))}
      />
    </td>
  );
}

function SelectAll<Row>({
  rows,
  items,
  selection,
}: {
  rows: Rows<Row>;
  items: readonly number[];
  selection: Selection<Row>;
}) {
  const shown = items.flatMap((index) => rows.rowAt(index) ?? []).map((row) => selection.idOf(row));
  const all = shown.length > 0 && shown.every((id) => selection.ids.has(id));
  return (
    <th scope="col" className={HEAD}>
      <input
        type="checkbox"
        aria-label={words.selectAll}
        className="size-4 accent-brand"
        checked={all}
        onChange={() => selection.change(all ? new Set() : new Set([...selection.ids, ...shown]))}
      />
    </th>
  );
}
