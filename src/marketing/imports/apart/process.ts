import { openBlobStore } from '../../../platform/blob/open-blob-store.ts';
import { createSealedBlobs } from '../../../platform/blob/sealed-blobs.ts';
import { systemClock as clock } from '../../../platform/clock.ts';
import { IMPORT_CONNECTIONS } from '../../../platform/db/connections.ts';
import { openDatabase } from '../../../platform/db/database.ts';
import { requireSchema } from '../../../platform/db/migrate.ts';
import { answerOwner } from '../../../platform/jobs/answer-owner.ts';
import { createLog } from '../../../platform/log.ts';
import { createDatabaseKeyStore } from '../../../platform/vault/database-key-store.ts';
import { createFolderKeyStore } from '../../../platform/vault/folder-key-store.ts';
import { openMasterKeys } from '../../../platform/vault/master-key.ts';
import { createVault } from '../../../platform/vault/vault.ts';
import type { Which } from '../which.ts';
import { workOnImport } from '../work-on.ts';
import type { Setup } from './imports-apart.ts';

// The other end of imports-apart.ts: works on imports away from the process that serves everybody.
answerOwner(async ({ ownerUrl, poolerUrl, masterKeyFile, keyStoreFolder: folder, blobUrl, logLevel }: Setup) => {
  await requireSchema(ownerUrl); // where a newer version lies here already than the one that runs
  const masterKeys = openMasterKeys(masterKeyFile);
  const files = await openBlobStore(blobUrl);
  const db = openDatabase({ ownerUrl, poolerUrl, log: createLog(logLevel) }, 'app', IMPORT_CONNECTIONS);
  const store = folder === null ? createDatabaseKeyStore(db) : createFolderKeyStore(folder, db);
  const vault = createVault({ db, store, masterKeys, clock });
  const blobs = createSealedBlobs({ db, store: files, vault, clock });
  return (which: Which) => workOnImport({ db, vault, blobs, clock }, which);
});
