import type { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './problem.ts';

/** Whether something was answered or refused before: asking for it again is then a poll, which keeps no session open. */
export function wasAsked(client: QueryClient, key: readonly unknown[]): boolean {
  const state = client.getQueryState(key);
  return state !== undefined && (state.data !== undefined || state.errorUpdateCount > 0);
}

interface Asked<Reply> {
  state: { data: Reply | undefined; error: unknown };
}

/** When to ask again; never where the server refuses, since it would refuse for ever. */
export function nextPoll<Reply>(
  wanted: number | ((reply: Reply) => number | false),
): (query: Asked<Reply>) => number | false {
  return ({ state: { data, error } }) => {
    if (isRefusal(error)) return false;
    if (typeof wanted !== 'function') return wanted;
    return data === undefined ? false : wanted(data);
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiProblem && [401, 403, 404, 410].includes(error.status);
}
