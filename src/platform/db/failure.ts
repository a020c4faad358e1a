const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
// Class 08 is connection failure, 53 lack of resources (disk full included), 57P shutdown, 58 system error.
const STATES = /^(08...|53...|57P0[1-5]|57014|58...)$/;
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Client was closed)/;
const UNANSWERED = 'Query read timeout';

/** Whether an error says that the database is away or overloaded, rather than that a statement is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && CONNECTION_ERRORS.has(code))
    return syscall === undefined || syscall === 'connect' || code !== 'ENOENT';
  return (code !== undefined && STATES.test(code)) || DRIVER_MESSAGES.test(error.message) || isUnanswered(error);
}

/** Whether an error says that a statement was ended since it took longer than any may. */
export function tookTooLong(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === '57014';
}

/** Whether an error says that a statement was sent and no answer came in time: it may still be carried out. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === UNANSWERED;
}

// Class XX is damage, or what nobody foresaw; 58030 is a disk that fails where the row stands, 58P01 a file that is gone: that of
// the row, or that of the transaction which a damaged row names.
const DAMAGED = /^(XX...|58030|58P01)$/;

/** Whether the database is there and cannot read what it was asked for; other rows may well be in order. */
export function isDamaged(error: unknown): boolean {
  return DAMAGED.test((error as NodeJS.ErrnoException).code ?? '');
}

/** Whether an error is a conflict with a neighbour that a second try resolves. */
export function isPassingConflict(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === '40P01' || code === '40001';
}

/** Whether a function of ours ended a statement as something that it wanted was not there (no_data_found). */
export function isNothingFound(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'P0002';
}

/** The name of the unique constraint that a statement violated, if that is what the error is. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' ? (constraint ?? '') : null;
}
