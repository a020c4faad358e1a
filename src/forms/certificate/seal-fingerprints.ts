import { INSTALLATION } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

const NAME = 'seal fingerprint ';

/**
 * Notes that an installation seals with a key, and gives the fingerprints of all that it ever sealed with: that one
 * first, then the newest. They are sealed, so that nobody slips one in who can only write to the database.
 */
export async function noteFingerprint({ db, vault, clock }: Deps, fingerprint: string): Promise<string[]> {
  const keys = await vault.of(INSTALLATION);
  const rows = await db.untenanted(async (tx) => {
    const row = NAME + fingerprint;
    const value = keys.seal(placeOf(row), clock.now().toISOString());
    const insert = tx.insertInto('installation').values({ name: row, value });
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    return tx.selectFrom('installation').select(['name', 'value']).where('name', 'like', `${NAME}%`).execute();
  });
  const used = rows.map(({ name, value }) => {
    return { fingerprint: name.slice(NAME.length), since: keys.open(placeOf(name), value).toString() };
  });
  const newest = used.toSorted((one, other) => (one.since < other.since ? 1 : -1)).map((each) => each.fingerprint);
  return [...new Set([fingerprint, ...newest])];
}

function placeOf(row: string) {
  return { table: 'installation', row, column: 'value' };
}
