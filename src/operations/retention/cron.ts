import type { CronEntry } from '../../platform/jobs/runner.ts';

const DAY_MS = 24 * 3600_000;

/** The side job that keeps to how long things are kept. */
export const RETENTION = 'retention.daily';

/** When it runs. */
export const RETENTION_CRON: CronEntry = { task: RETENTION, schedule: '41 2 * * *', catchUpMs: DAY_MS };
