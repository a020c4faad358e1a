import type { UseQueryResult } from '@tanstack/react-query';
import type { Body, Reply } from '../../api/client.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { useRead } from '../../api/query.ts';
import { useSettled } from '../../ui/use-settled.ts';

type Asked = Pick<Body<'countDynamicList'>, 'filters' | 'rule'>;
export type LiveCount = UseQueryResult<Reply<'countDynamicList'>, ApiProblem>;

/** Whom a rule finds while it is being written; null asks for nothing, since the rule is not whole. */
export function useLiveCount(asked: Asked | null): LiveCount {
  const settled = useSettled(asked);
  return useRead('countDynamicList', { body: settled ?? {} }, { enabled: settled !== null, keep: true });
}
