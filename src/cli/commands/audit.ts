import { loadSigningKey, verifyAudit } from '../../accounts/index.ts';
import { checkpointFileOf, type Installation } from '../../installation.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { type Command, withInstallation } from '../command.ts';

export const auditVerify: Command = {
  name: 'audit verify',
  usage: '',
  about: 'check every audit chain, and name the first bad row of each',
  run: ({ config }) =>
    withInstallation(config, async (installation) => {
      const report = await verifyEveryChain(installation);
      const faults = report.faults.map(
        ({ customerId, seq, auditId, reason }) =>
          `customer ${customerId}, row ${seq ?? '?'} (${auditId ?? 'no id'}): ${reason}`,
      );
      const summary = `${report.rows} rows and ${report.checkpoints} checkpoints checked, ${faults.length} faults`;
      return { json: report, text: [...faults, summary].join('\n'), failed: faults.length > 0 };
    }),
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
