import type { CronEntry } from '../../platform/jobs/runner.ts';

export { removeWhatIsOver } from './run.ts';

/** The side job that keeps to how long things are kept. */
export const RETENTION = 'retention.daily';
export const RETENTION_CRON: CronEntry = { task: RETENTION, schedule: '41 2 * * *' };
