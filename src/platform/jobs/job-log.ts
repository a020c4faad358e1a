import { Logger } from 'graphile-worker';
import type { Log } from '../log.ts';

/** Job messages may quote payloads and errors: only which job it was about is kept. */
export function loggerOver(log: Log): Logger {
  return new Logger((scope) => (level, _message, meta) => {
    const job = meta?.job as { id?: string; task_identifier?: string; payload?: unknown } | undefined;
    const { requestId } = (job?.payload ?? {}) as { requestId?: unknown };
    const about = { task: job?.task_identifier ?? scope.taskIdentifier, jobId: job?.id ?? scope.jobId, requestId };
    if (level === 'error') log.error(about, 'job failed');
    else if (level === 'warning') log.warn(about, 'job warning');
  });
}
