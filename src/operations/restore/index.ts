export { followRestores, recordRestored, tellSetAside } from './record-restored.ts';
export { openSource, type RestoreReport, restoreEmbedded, restoreExternal } from './restore.ts';
export { concludeRestore, newestRestore } from './restored-mark.ts';
export { Stopped } from './scratch.ts';
export { type VerifyReport, verifyBackup } from './verify.ts';
