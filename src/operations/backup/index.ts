export { type BlobEntries, hasBlob, readBlobLists } from './blobs.ts';
export { OtherMasterKey, openChainKey } from './chain-key.ts';
export { blobFolder, chainFolder, listChains } from './chains.ts';
export { customerKeyFolder, putBackCustomerKeys, wereDestroyed } from './customer-keys.ts';
export { DamagedBackup } from './damaged.ts';
export { readLsn, segmentName } from './lsn.ts';
export { readManifests, type SignedManifest } from './manifest.ts';
export { type BackupReport, runBackup } from './run.ts';
export {
  type BackupRun,
  hasMark,
  listBackupRuns,
  newestBackupAt,
  newestRestoreTestAt,
  recordRun,
  removeOldRuns,
} from './runs.ts';
export { type ChainFolder, checked, readSealed } from './sealed-file.ts';
export { takeTurns } from './turns.ts';
