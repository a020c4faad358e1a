const NOT_ALLOWED = new Set(['42501', '28000', '28P01']);
const NOT_CONFIGURED = new Set(['55000', '53300', '53400']);
const SEGMENT_GONE = '58P01';

/** What to do where the server does not let itself be copied; any other failure stays as it is. */
export function explainRefusal(error: unknown): unknown {
  const { code = '', message } = error as { code?: string; message: string };
  if (NOT_ALLOWED.has(code)) {
    return new Error(
      `the database does not let this role copy it (${message}): give it REPLICATION and a line for replication in pg_hba.conf, or name another role by --replication-url`,
    );
  }
  if (NOT_CONFIGURED.has(code)) {
    return new Error(
      `the database is not set up to be copied (${message}): it needs wal_level = replica, and free max_wal_senders and max_replication_slots`,
    );
  }
  return error;
}

/** Whether the server no longer has the log that the last backup ended in. */
export function isLogGone(error: unknown): boolean {
  return (error as { code?: string }).code === SEGMENT_GONE;
}
