import { type Static, Type } from 'typebox';
import type { SendingDomain } from '../domains/sending-domain.ts';

const Time = Type.String({ format: 'date-time' });
const OrNull = Type.Union([Time, Type.Null()]);

const RecordReply = Type.Object({
  purpose: Type.Enum(['ownership', 'dkim', 'spf', 'dmarc', 'return_path']),
  type: Type.Enum(['TXT', 'CNAME']),
  name: Type.String(),
  value: Type.String({ description: 'a TXT value of over 255 characters goes into several strings of one record' }),
  required: Type.Boolean({ description: 'the domain is not verified without it' }),
  key: Type.Union([Type.Enum(['pending', 'active', 'retired']), Type.Null()]),
  removable_after: OrNull,
  status: Type.Enum(['unchecked', 'found', 'missing', 'differs', 'unanswered']),
  found: Type.Array(Type.String(), { description: 'what the last check saw at this name' }),
});

export const DomainReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  domain: Type.String(),
  state: Type.Enum(['pending', 'verified', 'failing']),
  verified_at: OrNull,
  checked_at: OrNull,
  missing_since: OrNull,
  return_path: Type.Boolean({ description: 'whether return paths are under this domain' }),
  warm_up: Type.Boolean(),
  created_at: Time,
  records: Type.Array(RecordReply),
});

/** A domain as replies show it. */
export function describeDomain(each: SendingDomain): Static<typeof DomainReply> {
  return {
    id: each.id,
    domain: each.domain,
    state: each.state,
    verified_at: timeOf(each.verified_at),
    checked_at: timeOf(each.checked_at),
    missing_since: timeOf(each.missing_since),
    return_path: each.return_path,
    warm_up: each.warm_up,
    created_at: each.created_at.toISOString(),
    records: each.records.map(({ removableAfter, ...record }) => ({
      ...record,
      removable_after: timeOf(removableAfter),
    })),
  };
}

function timeOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
