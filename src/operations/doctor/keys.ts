import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { listCustomers } from '../../accounts/index.ts';
import { type Database, withDatabase } from '../../platform/db/database.ts';
import { createDatabaseKeyStore } from '../../platform/vault/database-key-store.ts';
import { createFolderKeyStore, isKeyFolder } from '../../platform/vault/folder-key-store.ts';
import { openMasterKeys } from '../../platform/vault/master-key.ts';
import { createVault } from '../../platform/vault/vault.ts';
import { type Check, type DatabaseBench, failed, ok, type Verdict, warning } from './check.ts';
import { isOpenToOthers } from './open-to-others.ts';

/** Whether the master key is there, whole, and nobody else's. */
export const masterKey: Check = {
  name: 'master-key',
  needs: 'nothing',
  async look({ config: { masterKeyFile: file, dataDir } }) {
    if (!existsSync(file)) {
      if (!existsSync(dataDir)) return [warning(`${file} is not there yet`, 'it is made by the first start')];
      return [
        failed(
          `${file} is missing`,
          'put it back from the copy that is kept elsewhere: nothing can be read without it',
        ),
      ];
    }
    const verdicts: Verdict[] = [];
    if (isOpenToOthers(statSync(file))) verdicts.push(failed('others can read the master key', `chmod 400 ${file}`));
    if (existsSync(`${file}.next`))
      verdicts.push(failed('a rotation of the master key was cut off', 'run carepost vault rotate --master again'));
    try {
      openMasterKeys(file);
    } catch {
      verdicts.push(
        failed('the master key file does not hold a key', 'put it back from the copy that is kept elsewhere'),
      );
    }
    if (existsSync(dataDir) && isInside(file, dataDir))
      verdicts.push(failed('the master key lies in the data folder', 'move it, and set CAREPOST_MASTER_KEY_FILE'));
    if (verdicts.length > 0) return verdicts;
    return [ok('the master key is there, for its owner alone; nothing here can tell whether a copy is kept elsewhere')];
  },
};

/** Whether a file is in a folder, whatever links lead there. */
function isInside(file: string, folder: string): boolean {
  const { ino, dev } = statSync(folder);
  for (let above = dirname(file); ; above = dirname(above)) {
    const found = statSync(above);
    if (found.ino === ino && found.dev === dev) return true;
    if (above === dirname(above)) return false;
  }
}

/** Whether the keys of customers can be opened with the master key. */
export const customerKeys: Check = {
  name: 'customer-keys',
  needs: 'database',
  async look(bench) {
    const { masterKeyFile, keyStoreFolder } = bench.config;
    if (!existsSync(masterKeyFile)) return [];
    if (keyStoreFolder !== null && !isKeyFolder(keyStoreFolder))
      return [failed('the folder of CAREPOST_KEY_STORE has no keys in it', 'mount it, or put it back from a backup')];
    return [await withDatabase(bench, 'app', (db) => openAll(bench, db))];
  },
};

async function openAll({ config, clock }: DatabaseBench, db: Database): Promise<Verdict> {
  const { masterKeyFile, keyStoreFolder } = config;
  const store = keyStoreFolder === null ? createDatabaseKeyStore(db) : createFolderKeyStore(keyStoreFolder, db);
  const vault = createVault({ db, store, masterKeys: openMasterKeys(masterKeyFile), clock });
  const customers = await listCustomers(db);
  const broken: string[] = [];
  const missing: string[] = [];
  let destroyed = 0;
  for (const { id, username } of customers) {
    if ((await store.load(id)).length > 0) await vault.of(id).catch(() => broken.push(username));
    else if (await wereDestroyed(db, id)) destroyed += 1;
    else missing.push(username);
  }
  if (missing.length > 0)
    return failed(
      `the keys of ${missing.join(', ')} are gone, and nobody destroyed them`,
      'put them back from a backup',
    );
  if (broken.length > 0)
    return failed(`the keys of ${broken.join(', ')} cannot be opened`, 'find the master key that wrapped them');
  return ok(`${customers.length - destroyed} customers with keys, ${destroyed} without`);
}

async function wereDestroyed(db: Database, customerId: number): Promise<boolean> {
  const row = await db.tenant([customerId], (tx) =>
    tx.selectFrom('key_destructions').select('customer_id').where('customer_id', '=', customerId).executeTakeFirst(),
  );
  return row !== undefined;
}

/** Whether the folder of customer keys is for its owner alone. */
export const keyFolder: Check = {
  name: 'key-folder',
  needs: 'nothing',
  async look({ config: { keyStoreFolder: folder } }) {
    if (folder === null || !existsSync(folder)) return [];
    if (isOpenToOthers(statSync(folder)))
      return [failed('others on this machine can look into the folder of customer keys', `chmod 700 ${folder}`)];
    return [ok(`the folder of customer keys holds ${readdirSync(folder).length} entries, for its owner alone`)];
  },
};
