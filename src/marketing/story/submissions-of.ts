import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';

/** A submission, by reference: what somebody answered is the Forms area's to show. */
export interface SubmissionReference {
  formId: string;
  submissionId: string;
  submittedAt: Date;
}

/** The latest submissions of whoever has an address, the newest first; the Forms area knows them. */
export type SubmissionsOf = (
  tx: Tx,
  keys: CustomerVault,
  of: { customerId: number; email: string },
  most: number,
) => Promise<SubmissionReference[]>;
