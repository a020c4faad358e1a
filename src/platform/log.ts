import { type DestinationStream, type Logger, pino } from 'pino';
import { currentRequestId } from './request-context.ts';

export type Log = Logger;

/**
 * JSON lines that hold ids and codes only. Callers never pass bodies, keys or addresses; the
 * redaction is the second fence for what a library may attach.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: ofRequest,
      serializers: { err: describeError },
      redact: ['req', 'res', 'body', 'headers', 'authorization', '*.authorization', 'password', 'key', 'secret'],
    },
    destination ?? pino.destination({ sync: true }),
  );
}

function ofRequest(): { requestId?: string } {
  const requestId = currentRequestId();
  return requestId === undefined ? {} : { requestId };
}

/** Messages of foreign errors may quote data (PostgreSQL repeats values), so only their shape is kept. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, table, constraint, routine, syscall } = error as Error & Record<string, unknown>;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return {
    type: error.name,
    code,
    table,
    constraint,
    routine,
    syscall,
    at: frames.slice(0, 6).map((line) => line.trim()),
  };
}
