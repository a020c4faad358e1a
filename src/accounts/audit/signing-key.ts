import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';

/** Customer 0 is the installation itself. */
export const INSTALLATION = 0;
const NAME = 'audit signing key';
const PLACE = { table: 'installation', row: NAME, column: 'value' };

export interface SigningKey {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** The key that signs checkpoints, made on first use; only who has the master key can read it. */
export async function loadSigningKey({ db, vault }: { db: Database; vault: Vault }): Promise<SigningKey> {
  const keys = await vault.of(INSTALLATION);
  const value = await db.untenanted(async (tx) => {
    const known = await tx.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst();
    if (known !== undefined) return known.value;
    const { privateKey } = generateKeyPairSync('ed25519');
    const sealed = keys.seal(PLACE, privateKey.export({ type: 'pkcs8', format: 'der' }));
    const insert = tx.insertInto('installation').values({ name: NAME, value: sealed });
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    const kept = await tx.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirstOrThrow();
    return kept.value;
  });
  const privateKey = createPrivateKey({ key: keys.open(PLACE, value), type: 'pkcs8', format: 'der' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
