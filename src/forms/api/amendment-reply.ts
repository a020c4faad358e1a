import { type Static, Type } from 'typebox';
import type { Amendment } from '../rights/amendment.ts';

const Text = Type.Union([Type.String(), Type.Null()]);

/** An amendment on the wire. */
export const AmendmentReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  at: Type.String({ format: 'date-time' }),
  by: Type.Object({ kind: Type.String(), id: Type.String() }),
  changes: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  statement: Text,
  reason: Text,
  requested_by: Text,
  before_hash: Type.String({ description: 'SHA-256 of the canonical JSON of the answers as they stood before' }),
});

/** Describes an amendment to the customer. */
export function describeAmendment(amendment: Amendment): Static<typeof AmendmentReply> {
  const { id, at, by, changes, statement, reason, requestedBy, beforeHash } = amendment;
  return {
    id,
    at: at.toISOString(),
    by,
    changes,
    statement,
    reason,
    requested_by: requestedBy,
    before_hash: beforeHash,
  };
}
