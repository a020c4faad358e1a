import type { Clock } from '../../platform/clock.ts';
import { createDns } from '../../platform/net/dns/dns.ts';
import type { DomainDns } from './dns.ts';

/** Asks DNS without remembering: who has just published a record wants to see it found. */
export function askAnew(servers: readonly string[], clock: Clock): DomainDns {
  return {
    txt: (name) => createDns({ servers, clock }).txt(name),
    cname: (name) => createDns({ servers, clock }).cname(name),
  };
}
