import type { StoredMessage } from '../writing/load.ts';
import type { Lease } from './lease.ts';
import type { Settlement } from './settle.ts';

/**
 * Parts the recipients to be tried from those that get no mail, which are done with and are told why. Who complained about
 * mail gets what they have asked for themselves since.
 */
export function holdBack(
  stored: StoredMessage,
  leases: Lease[],
  isAskedFor: boolean,
): { held: Settlement[]; open: Lease[] } {
  const stopped = stored.suppressed.filter(({ reason }) => reason !== 'complaint' || !isAskedFor);
  const reasonOf = new Map(stopped.map(({ ordinal, reason }) => [ordinal, reason]));
  const held = leases.flatMap((lease): Settlement[] => {
    const reason = reasonOf.get(lease.ordinal);
    if (reason === undefined) return [];
    const outcome = { result: 'refused', code: null, reply: `suppressed: ${WORDS[reason]}` } as const;
    return [{ lease, outcome, address: null, met: null, notice: false }];
  });
  return { held, open: leases.filter(({ ordinal }) => !reasonOf.has(ordinal)) };
}

const WORDS = {
  hard_bounce: 'mail to this address has bounced for good (hard_bounce)',
  complaint: 'the recipient has complained about mail (complaint)',
  manual: 'the address was taken off by hand (manual)',
  opt_out: 'the recipient has opted out (opt_out)',
};
