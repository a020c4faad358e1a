export type { Finding } from './check.ts';
export { CHECK_NAMES, examine } from './examine.ts';
