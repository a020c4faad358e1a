export type { Holding } from './compare.ts';
export { moveDatabase } from './move.ts';
export { upgradeEmbedded } from './upgrade.ts';
