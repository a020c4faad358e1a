import { loadSigningKey, verifyAudit } from '../accounts/index.ts';
import { checkpointFileOf } from '../app.ts';
import { openDatabase } from '../platform/db/database.ts';
import { type Command, withInstallation } from './command.ts';

export const auditVerify: Command = {
  name: 'audit verify',
  usage: '',
  about: 'check every audit chain, and name the first bad row of each',
  run: ({ config }) =>
    withInstallation(config, async (installation) => {
      const db = openDatabase(installation, 'sealer', 1);
      try {
        const report = await verifyAudit({
          db,
          signingKey: await loadSigningKey(installation),
          checkpointFile: checkpointFileOf(config.dataDir),
        });
        const faults = report.faults.map(
          ({ customerId, seq, auditId, reason }) =>
            `customer ${customerId}, row ${seq ?? '?'} (${auditId ?? 'no id'}): ${reason}`,
        );
        const summary = `${report.rows} rows and ${report.checkpoints} checkpoints checked, ${faults.length} faults`;
        return { json: report, text: [...faults, summary].join('\n'), failed: faults.length > 0 };
      } finally {
        await db.close();
      }
    }),
};
