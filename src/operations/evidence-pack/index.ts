export type { Period } from './section.ts';
export { verifyPack } from './verify-pack.ts';
export { writePack } from './write-pack.ts';
