import { ADDRESS_COLUMN, addressKey } from '../../email/index.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { SUBMITTER_COLUMN } from '../submissions/accept.ts';

/** The blind indexes under which a person's address stands, in every column that has one. */
export function indexesOfPerson(keys: CustomerVault, email: string): Buffer[] {
  return [ADDRESS_COLUMN, SUBMITTER_COLUMN].map((column) => keys.blindIndex(column, addressKey(email)));
}
