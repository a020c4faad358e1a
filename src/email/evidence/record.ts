import { type AuditRow, auditRow } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { type AttemptEvidence, leafOf, rootOf, saltOf } from './attempt-evidence.ts';

/** The action of the audit row that a batch of evidence stands in. */
export const ATTEMPTS = 'email.attempts';

/** Where the evidence of an attempt is kept, for the row of the attempt. */
export interface EvidencePlace {
  evidenceId: string;
  position: number;
}

export interface Evidence {
  audit: AuditRow[];
  batches: { id: string; customer_id: number; leaves: Buffer }[];
  /** In the order of the records; null for a customer whose keys were destroyed: nothing of it opens any more. */
  places: (EvidencePlace | null)[];
}

/** Puts attempts that are settled together into one batch for each customer. */
export async function prepareEvidence(
  { vault, clock }: { vault: Vault; clock: Clock },
  records: AttemptEvidence[],
): Promise<Evidence> {
  const evidence: Evidence = { audit: [], batches: [], places: records.map(() => null) };
  const byCustomer = Map.groupBy(records.keys(), (index) => (records[index] as AttemptEvidence).customerId);
  for (const [customerId, indexes] of byCustomer) {
    const keys = await keysIfAny(vault, customerId);
    if (keys === null) continue;
    const leaves = indexes.map((index) => {
      const record = records[index] as AttemptEvidence;
      return leafOf(saltOf(keys, record), record);
    });
    const actor = { kind: 'worker', id: 'delivery' } as const;
    const act = { customerId, actor, action: ATTEMPTS, requestId: null };
    const row = auditRow(clock, act, { details: { attempts: leaves.length, root: rootOf(leaves) } });
    evidence.audit.push(row);
    evidence.batches.push({ id: row.id, customer_id: customerId, leaves: Buffer.concat(leaves) });
    for (const [position, index] of indexes.entries()) evidence.places[index] = { evidenceId: row.id, position };
  }
  return evidence;
}

/** The keys of a customer; null where they were destroyed. */
export async function keysIfAny(vault: Vault, customerId: number): Promise<CustomerVault | null> {
  try {
    return await vault.of(customerId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return null;
    throw error;
  }
}

/** Batches as the database takes them. */
export function batchRows({ batches }: Evidence): object[] {
  return batches.map(({ leaves, ...batch }) => ({ ...batch, leaves: `\\x${leaves.toString('hex')}` }));
}
