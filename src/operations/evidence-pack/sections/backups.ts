import { listBackupRuns } from '../../backup/index.ts';
import { moment, type ReadSection } from '../section.ts';

/** Contingency: every backup of the period, and every test that one can be restored. */
export const backups: ReadSection = async ({ installation, period }) => ({
  name: 'backups',
  title: 'Backups and tests of restoring',
  about: 'Every run of carepost backup, carepost restore and restore --verify that began in the period.',
  columns: ['kind', 'began', 'ended', 'seconds', 'succeeded', 'bytes', 'lsn'],
  rows: (await listBackupRuns(installation.db, period)).map(({ kind, startedAt, finishedAt, ok, bytes, lsn }) => ({
    kind,
    began: moment(startedAt),
    ended: moment(finishedAt),
    seconds: finishedAt === null ? null : Math.round((finishedAt.getTime() - startedAt.getTime()) / 1000),
    succeeded: ok,
    bytes,
    lsn,
  })),
});
