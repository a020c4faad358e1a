import type { DomainDns, Patience, Target } from './email/index.ts';
import type { FreeBytes } from './platform/http/limits/backpressure.ts';
import type { OwnershipCheck } from './platform/http/ownership.ts';
import type { Connect } from './platform/net/open-connection.ts';

/** What a test may replace: the outside world, and one wall at a time. */
export interface Overrides {
  requireOwn?: OwnershipCheck;
  mayList?(customerId: number, wanted: number): boolean;
  freeBytes?: FreeBytes;
  /** Where all mail goes, in place of the sandbox. */
  peer?: Target;
  /** How long to wait for foreign mail servers. */
  patience?: Patience;
  /** Starts connections to the hosts of MTA-STS policies. */
  connect?: Connect;
  /** What sending domains are checked against. */
  domainDns?: DomainDns;
}
