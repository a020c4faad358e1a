import type { ErrorComponentProps } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { words } from '../words/shared.ts';

/** A page that could not be shown at all, such as one whose script did not arrive. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  return (
    <Page title={words.pageFailed}>
      <Problem error={error} onRetry={reset} />
    </Page>
  );
}
