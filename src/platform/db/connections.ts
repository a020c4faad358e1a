/** How many connections a process may have open for requests. */
export const APP_CONNECTIONS = 12;

/** How many it may have open for the queues of all customers. */
export const WORKER_CONNECTIONS = 10;

/** How many it has open to seal the audit log. */
export const SEALER_CONNECTIONS = 1;

/** How many it has open to be told of news: those of drips. */
export const LISTENING_CONNECTIONS = 1;

/** How many the process beside it may have open that works on large imports. */
export const IMPORT_CONNECTIONS = 4;
