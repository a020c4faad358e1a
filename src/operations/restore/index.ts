export { openSource, type RestoreReport, restoreEmbedded, restoreExternal } from './restore.ts';
export { type VerifyReport, verifyBackup } from './verify.ts';
