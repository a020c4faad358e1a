/** What is wrong, in one line for each mistake. */
export function explain(error: unknown): string {
  const { message, cause, code } = error as NodeJS.ErrnoException & { cause?: Error };
  const line = message || code || 'failed'; // a host with several addresses that all refuse has no message
  return cause === undefined ? line : `${line}: ${explain(cause)}`;
}
