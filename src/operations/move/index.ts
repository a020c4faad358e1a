export type { Holding } from './compare.ts';
export { moveDatabase } from './move.ts';
export { type MovedBlobs, moveBlobs } from './move-blobs.ts';
export { upgradeEmbedded } from './upgrade.ts';
