export { RETENTION, RETENTION_CRON } from './cron.ts';
export { removeWhatIsOver } from './run.ts';
