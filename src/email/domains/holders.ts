import { INSTALLATION } from '../../accounts/index.ts';

/** Whose keys and records count for mail from a domain, in the order in which they are asked. */
export function holdersOf(systemDomain: string, customerId: number, domain: string): number[] {
  return domain === systemDomain ? [INSTALLATION, customerId] : [customerId];
}
