import { sql } from 'kysely';
import { loadSigningKey, verifyAudit } from '../../accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { SignedManifest } from '../backup/index.ts';

/** Walks the audit chains of a restored copy, and compares them with the heads that a signed manifest knows. */
export async function checkAudit(
  { db, sealerDb, vault }: { db: Database; sealerDb: Database; vault: Vault },
  promised: SignedManifest | undefined,
  noFile: string,
  onFault: (what: string) => void,
): Promise<{ rows: number; checkpoints: number }> {
  const signingKey = await loadSigningKey({ db, vault });
  // Every checkpoint is in the database as well; the file beside it belongs to the machine that was backed up.
  const { rows, checkpoints, faults } = await verifyAudit({ db: sealerDb, signingKey, checkpointFile: noFile });
  for (const { customerId, seq, reason } of faults)
    onFault(`audit of customer ${customerId}, row ${seq ?? '?'}: ${reason}`);
  for (const { customer, seq, hash } of promised?.audit_heads ?? []) {
    const found = await sealerDb.untenanted((tx) =>
      sql<{ hash: string }>`select encode(hash, 'hex') as hash from audit_chain
        where customer_id = ${customer} and seq = ${seq}`.execute(tx),
    );
    if (seq > 0 && found.rows[0]?.hash !== hash) onFault(`audit of customer ${customer}: differs from the manifest`);
  }
  return { rows, checkpoints };
}
