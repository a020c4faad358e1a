import { useInfiniteQuery, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { call, type Input, type Operation, type Reply } from '../api/client.ts';
import { nextPoll, wasAsked } from '../api/polling.ts';
import type { ApiProblem } from '../api/problem.ts';

/** The rows of a table of which only some are here. */
export interface Rows<Row> {
  /** How many there are in all, as far as is known. */
  count: number;
  rowAt(index: number): Row | undefined;
  /** Says which rows are in sight; those that are not here are asked for. */
  show(first: number, last: number): void;
  isPending: boolean;
  error: ApiProblem | null;
  refetch(): void;
}

interface Paged<Op extends Operation, Row> {
  op: Op;
  /** What to ask for a page; the first one is 1. */
  input(page: number): Input<Op>;
  read(reply: Reply<Op>): { rows: readonly Row[]; count: number };
  size: number;
  /** Asks again after so many milliseconds, while the rows of a page say so. */
  pollMs?(rows: readonly Row[]): number | false;
}

/** Rows that the server counts and numbers: any page can be asked for, so a scrollbar jumps anywhere. */
export function usePagedRows<Op extends Operation, Row>({ op, input, read, size, pollMs }: Paged<Op, Row>): Rows<Row> {
  const client = useQueryClient();
  const [pages, setPages] = useState<readonly number[]>([1]);
  const wanted = pages.includes(1) ? pages : [1, ...pages];
  const results = useQueries({
    queries: wanted.map((page) => ({
      queryKey: [op, input(page)],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(op, input(page), { signal, background: pollMs !== undefined && wasAsked(client, [op, input(page)]) }),
      ...(pollMs === undefined ? {} : { refetchInterval: nextPoll<Reply<Op>>((reply) => pollMs(read(reply).rows)) }),
    })),
  });
  const loaded = new Map(
    results.flatMap((result, at) =>
      result.data === undefined ? [] : [[wanted[at] as number, read(result.data as Reply<Op>)]],
    ) as [number, { rows: readonly Row[]; count: number }][],
  );
  const show = useCallback(
    (first: number, last: number) => {
      const from = Math.floor(first / size) + 1;
      const next = Array.from({ length: Math.floor(last / size) + 2 - from }, (_none, at) => from + at);
      setPages((before) => (before.join() === next.join() ? before : next));
    },
    [size],
  );
  return {
    count: loaded.get(1)?.count ?? 0,
    rowAt: (index) => loaded.get(Math.floor(index / size) + 1)?.rows[index % size],
    show,
    isPending: results[0]?.isPending ?? true,
    error: (results.find(({ error }) => error !== null)?.error ?? null) as ApiProblem | null,
    refetch: () => results.forEach((result) => void result.refetch()),
  };
}

interface Chained<Op extends Operation, Row> {
  op: Op;
  /** What to ask after a cursor; undefined asks for the beginning. */
  input(cursor: string | undefined): Input<Op>;
  read(reply: Reply<Op>): { rows: readonly Row[]; next: string | null };
  /** Asks again after so many milliseconds, while the rows that are here say so. */
  pollMs?(rows: readonly Row[]): number | false;
}

/** Rows of which each page names the next one: they come as one scrolls. */
export function useChainedRows<Op extends Operation, Row>({ op, input, read, pollMs }: Chained<Op, Row>): Rows<Row> {
  const client = useQueryClient();
  const key = [op, 'chained', input(undefined)];
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      call(op, input(pageParam), {
        signal,
        background: pollMs !== undefined && wasAsked(client, key),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Reply<Op>) => read(last).next ?? undefined,
    ...(pollMs === undefined
      ? {}
      : {
          refetchInterval: nextPoll<{ pages: Reply<Op>[] }>(({ pages }) =>
            pollMs(pages.flatMap((page) => read(page).rows)),
          ),
        }),
  });
  const rows = useMemo(() => (query.data?.pages ?? []).flatMap((page) => read(page).rows), [query.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return {
    count: rows.length + (hasNextPage ? 1 : 0),
    rowAt: (index) => rows[index],
    show: (_first, last) => {
      if (last >= rows.length && hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
    isPending: query.isPending,
    error: query.error as ApiProblem | null,
    refetch: () => void query.refetch(),
  };
}

/** Rows that are all here. */
export function allRows<Row>(rows: readonly Row[]): Rows<Row> {
  return {
    count: rows.length,
    rowAt: (index) => rows[index],
    show: () => undefined,
    isPending: false,
    error: null,
    refetch: () => undefined,
  };
}
