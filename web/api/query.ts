import {
  keepPreviousData,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { Attempts } from './attempts.ts';
import { call, type Input, type Operation, type Reply, whoCalls } from './client.ts';
import { nextPoll, wasAsked } from './polling.ts';
import type { ApiProblem } from './problem.ts';
import { createLastingKeys } from './unanswered.ts';

interface ReadOptions<Op extends Operation> {
  enabled?: boolean;
  /** Asks again after so many milliseconds, while the answer says so. */
  pollMs?: number | ((reply: Reply<Op>) => number | false);
  /** Shows what was there while the next page is on its way. */
  keep?: boolean;
  /** Asks on coming here even where an answer of a moment ago is kept. */
  anew?: boolean;
}

/** What an operation answers, kept and asked for again as the cache sees fit. */
export function useRead<Op extends Operation>(
  op: Op,
  input: Input<Op>,
  { enabled = true, pollMs, keep = false, anew = false }: ReadOptions<Op> = {},
): UseQueryResult<Reply<Op>, ApiProblem> {
  const client = useQueryClient();
  const key = [op, input];
  return useQuery<Reply<Op>, ApiProblem, Reply<Op>, unknown[]>({
    queryKey: key,
    queryFn: ({ signal }) => call(op, input, { signal, background: pollMs !== undefined && wasAsked(client, key) }),
    enabled,
    ...(pollMs === undefined ? {} : { refetchInterval: nextPoll(pollMs) }),
    ...(anew ? { staleTime: 0 } : {}),
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  } as Parameters<typeof useQuery<Reply<Op>, ApiProblem, Reply<Op>, unknown[]>>[0]);
}

/** What an operation answers once it was asked after coming here, so that nobody edits what another has since changed. */
export function useAnew<Op extends Operation>(
  op: Op,
  input: Input<Op>,
): Pick<UseQueryResult<Reply<Op>, ApiProblem>, 'data' | 'error' | 'isPending' | 'refetch'> {
  const read = useRead(op, input, { anew: true });
  const asked = JSON.stringify(input);
  const answered = useRef<string>(null);
  if (read.isFetchedAfterMount && read.isSuccess) answered.current = asked;
  const data = answered.current === asked ? read.data : undefined;
  return { data, error: read.error, isPending: data === undefined && read.error === null, refetch: read.refetch };
}

interface WriteOptions<Op extends Operation> {
  /** The operations whose answers are out of date afterwards. */
  stale?: Operation[];
  /**
   * It is under way until this has ended, too, so that it cannot be asked for again before what follows is there.
   * `wasDone`: it had been done by an earlier press, whose answer got lost.
   */
  onDone?: (reply: Reply<Op>, input: Input<Op>, wasDone: boolean) => void | Promise<void>;
  /** Runs even where what began it is gone from the page by then. */
  onFail?: (problem: ApiProblem) => void;
  /** It makes or sends something that somebody filled in: once, even where the page or the session is another one by then. */
  lasting?: true;
}

/**
 * Something that a person does: the call, whether it is under way and what was wrong with it. The same is not begun
 * again while it is under way; and asked for again after the connection broke, it is not done twice where the operation
 * takes an Idempotency-Key.
 */
export function useWrite<Op extends Operation>(
  op: Op,
  { stale = [], onDone, onFail, lasting }: WriteOptions<Op> = {},
): UseMutationResult<Reply<Op>, ApiProblem, Input<Op>> {
  const client = useQueryClient();
  const [attempts] = useState(() => new Attempts(lasting && createLastingKeys(op, whoCalls)));
  const replayed = useRef(false);
  const write = useMutation<Reply<Op>, ApiProblem, Input<Op>>({
    mutationFn: (input) =>
      attempts.make(input, (key) => {
        replayed.current = false;
        const onReplayed = () => {
          replayed.current = true;
        };
        return call(op, input, { headers: { 'idempotency-key': key }, onReplayed });
      }),
    onSuccess: async (reply, input) => {
      const wasDone = replayed.current;
      await forget(client, stale);
      await onDone?.(reply, input, wasDone);
    },
    onSettled: (_reply, _problem, input) => attempts.end(input),
    ...(onFail === undefined ? {} : { onError: onFail }),
  });
  const { mutate } = write;
  const mutateOnce = useCallback<typeof mutate>(
    (...asked) => {
      if (attempts.begin(asked[0])) mutate(...asked);
    },
    [attempts, mutate],
  );
  return { ...write, mutate: mutateOnce };
}

/** Has the answers of these operations asked for again. */
export async function forget(client: QueryClient, operations: readonly Operation[]): Promise<void> {
  await Promise.all(operations.map((op) => client.invalidateQueries({ queryKey: [op] })));
}
