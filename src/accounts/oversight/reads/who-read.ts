import type { Database } from '../../../platform/db/database.ts';
import { walkAuditLog } from '../../audit/read-log.ts';
import { type RecordRef, recordsOf, type WholeRef } from './records-of.ts';

/** Those whose reading can be asked about; whoever works at the command line goes by the name of their account there. */
export const READER_KINDS = ['key', 'user', 'break-glass', 'cli'] as const;

/** Whose reading is asked about, and when. */
export interface ReadScope {
  actor: { kind: (typeof READER_KINDS)[number]; id: string };
  from: Date;
  to: Date;
}

/** A record that somebody was shown. */
export interface ReadRecord extends RecordRef {
  first: Date;
  last: Date;
  times: number;
}

/** A moment at which all of something was taken. */
export interface ReadWhole extends WholeRef {
  at: Date;
}

export interface Reads {
  /** How many rows of the audit log tell of it. */
  rows: number;
  records: ReadRecord[];
  wholes: ReadWhole[];
}

/** What somebody was shown in a span of time, from the audit log of a customer alone. */
export async function whoRead(db: Database, customerId: number, { actor, from, to }: ReadScope): Promise<Reads> {
  const records = new Map<string, ReadRecord>();
  const wholes: ReadWhole[] = [];
  let rows = 0;
  for await (const page of walkAuditLog(db, customerId, { actor: actor.id, action: null, target: null, from, to })) {
    for (const entry of page.filter(({ actorKind }) => actorKind === actor.kind)) {
      const shown = recordsOf(entry);
      if (shown.records.length + shown.wholes.length > 0) rows += 1;
      for (const ref of shown.records) addReads(records, ref, { first: entry.at, last: entry.at, times: 1 });
      wholes.push(...shown.wholes.map((whole) => ({ ...whole, at: entry.at })));
    }
  }
  return { rows, records: [...records.values()], wholes };
}

/** Counts a record that was shown again, so many times from one moment to another. */
export function addReads(
  records: Map<string, ReadRecord>,
  { kind, id }: RecordRef,
  { first, last, times }: Pick<ReadRecord, 'first' | 'last' | 'times'>,
): void {
  const key = `${kind}/${id}`;
  const known = records.get(key);
  if (known === undefined) records.set(key, { kind, id, first, last, times });
  else {
    known.first = first < known.first ? first : known.first;
    known.last = last > known.last ? last : known.last;
    known.times += times;
  }
}
