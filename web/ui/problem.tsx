import type { ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import { words } from '../words/shared.ts';
import { Notice } from './badge.tsx';
import { Button } from './button.tsx';

/** What went wrong, in words, with a way to try again where that may help. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { status, message, stepUp } = problemOf(error);
  const isRefusal = status === 403 && !stepUp;
  return (
    <Notice tone="bad" title={isRefusal ? words.notAllowed : words.somethingWrong}>
      <p>{message}</p>
      {onRetry !== undefined && !isRefusal && (
        <Button className="mt-2" onClick={onRetry}>
          {words.retry}
        </Button>
      )}
    </Notice>
  );
}

interface LoadedProps<Data> {
  read: { data: Data | undefined; error: unknown; isPending: boolean; refetch(): unknown };
  children(data: Data): ReactNode;
}

/** What was read, or that it is on its way, or why it did not come. */
export function Loaded<Data>({ read, children }: LoadedProps<Data>) {
  if (read.data !== undefined) return children(read.data);
  if (read.error !== null && read.error !== undefined)
    return <Problem error={read.error} onRetry={() => read.refetch()} />;
  return <Loading />;
}

/** Grey bars where something will be. */
export function Loading() {
  return (
    <div role="status" className="flex animate-pulse flex-col gap-3" aria-label={words.loading}>
      <div className="h-5 w-1/3 rounded bg-sunken" />
      <div className="h-24 rounded bg-sunken" />
      <div className="h-5 w-2/3 rounded bg-sunken" />
    </div>
  );
}
