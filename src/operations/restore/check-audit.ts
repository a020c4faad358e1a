import { sql } from 'kysely';
import { loadSigningKey, verifyAudit } from '../../accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { SignedManifest } from '../backup/index.ts';

/** Walks the audit chains of a restored copy, and compares them with the heads that signed manifests know. */
export async function checkAudit(
  { db, sealerDb, vault }: { db: Database; sealerDb: Database; vault: Vault },
  promised: SignedManifest[],
  noFile: string,
  onFault: (what: string) => void,
): Promise<{ rows: number; checkpoints: number }> {
  const signingKey = await loadSigningKey({ db, vault });
  // Every checkpoint is in the database as well; the file beside it belongs to the machine that was backed up.
  const { rows, checkpoints, faults } = await verifyAudit({ db: sealerDb, signingKey, checkpointFile: noFile });
  for (const { customerId, seq, reason } of faults)
    onFault(`audit of customer ${customerId}, row ${seq ?? '?'}: ${reason}`);
  const differing = new Set<number>();
  // Those of earlier backups as well: a log that was shortened since is whole in itself.
  for (const { audit_heads } of promised)
    for (const customer of await findDiffering(sealerDb, audit_heads)) differing.add(customer);
  for (const customer of differing) onFault(`audit of customer ${customer}: differs from the manifest`);
  return { rows, checkpoints };
}

/** Whose chains did not go through these heads; one before a cut is over, and the cut is looked at with its chain. */
async function findDiffering(sealerDb: Database, heads: SignedManifest['audit_heads']): Promise<number[]> {
  const { rows } = await sealerDb.untenanted((tx) =>
    sql<{ customer: number }>`
      select h.customer from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as h (customer int, seq bigint, hash text)
      where h.seq > 0
        and not exists (select from audit_chain c
          where c.customer_id = h.customer and c.seq = h.seq and c.hash = decode(h.hash, 'hex'))
        and not exists (select from audit_cuts k where k.customer_id = h.customer and k.seq >= h.seq)`.execute(tx),
  );
  return rows.map(({ customer }) => customer);
}
