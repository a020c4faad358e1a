import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** How far staff has come with a submission. */
export const WORK_STATES = ['new', 'in_work', 'done'] as const;

export type WorkState = (typeof WORK_STATES)[number];

/** What staff makes of a submission. */
export interface Work {
  state: WorkState;
  /** Whose it is. */
  assigneeId: string | null;
  /** How many notes it has that were not taken back. */
  notes: number;
  updatedAt: Date | null;
}

/** A submission that nobody has touched. */
export const UNTOUCHED: Work = { state: 'new', assigneeId: null, notes: 0, updatedAt: null };

/** What staff makes of each of these submissions. */
export async function readWork(tx: Tx, customerId: number, ids: string[]): Promise<Map<string, Work>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('submission_work')
    .select(['submission_id', 'state', 'assignee_id', 'updated_at'])
    .where('customer_id', '=', customerId)
    .where('submission_id', 'in', ids)
    .execute();
  const noted = await tx
    .selectFrom('submission_notes')
    .select(['submission_id', (eb) => eb.fn.countAll<number>().as('notes')])
    .where('customer_id', '=', customerId)
    .where('submission_id', 'in', ids)
    .where('taken_back_at', 'is', null)
    .groupBy('submission_id')
    .execute();
  const notes = new Map(noted.map((row) => [row.submission_id, row.notes]));
  const known = new Map(rows.map((row) => [row.submission_id, row]));
  return new Map(
    ids.map((id) => {
      const row = known.get(id);
      const work = { ...UNTOUCHED, notes: notes.get(id) ?? 0 };
      if (row === undefined) return [id, work];
      return [id, { ...work, state: row.state, assigneeId: row.assignee_id, updatedAt: row.updated_at }];
    }),
  );
}
