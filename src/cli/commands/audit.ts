import { loadSigningKey, verifyAudit } from '../../accounts/index.ts';
import { checkpointFileOf, type Installation } from '../../installation.ts';
import { followRestores, recordRestored, tellSetAside } from '../../operations/restore/index.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { type Command, operator, UsageError, withInstallation } from '../command.ts';
import { readMoment } from '../read-time.ts';

export const auditVerify: Command = {
  name: 'audit verify',
  usage: '',
  about: 'check every audit chain, and name the first bad row of each',
  run: ({ config }) =>
    withInstallation(config, async (installation) => {
      const aside = await followRestores(installation);
      const report = await verifyEveryChain(installation);
      const faults = report.faults.map(
        ({ customerId, seq, auditId, reason }) =>
          `customer ${customerId}, row ${seq ?? '?'} (${auditId ?? 'no id'}): ${reason}`,
      );
      const summary = `${report.rows} rows and ${report.checkpoints} checkpoints checked, ${faults.length} faults`;
      return {
        json: { ...report, set_aside: aside },
        text: [...aside.map(tellSetAside), ...faults, summary].join('\n'),
        failed: faults.length > 0,
      };
    }),
};

export const auditRestored: Command = {
  name: 'audit restored',
  usage: '--to TIME',
  about:
    'record for good that the database was put back to this moment by another tool than restore, so that every worker sets aside the checkpoints of what came after it',
  options: { to: { type: 'string' } },
  run: (invocation) => {
    const restoredTo = readMoment(invocation, 'to');
    return withInstallation(invocation.config, async (installation) => {
      if (restoredTo > installation.clock.now()) throw new UsageError('--to takes a moment of the past');
      const aside = await recordRestored(installation, operator(), restoredTo);
      const recorded = `Recorded that the database was restored to ${restoredTo.toISOString()}. Workers set their files aside within a minute.`;
      return {
        json: { restored_to: restoredTo, set_aside: aside },
        text: [...aside.map(tellSetAside), recorded].join('\n'),
      };
    });
  },
};

/** Checks the audit chains of an installation. */
export async function verifyEveryChain(installation: Installation): ReturnType<typeof verifyAudit> {
  const db = openDatabase(installation, 'sealer', 1);
  try {
    return await verifyAudit({
      db,
      signingKey: await loadSigningKey(installation),
      checkpointFile: checkpointFileOf(installation.config.dataDir),
    });
  } finally {
    await db.close();
  }
}
