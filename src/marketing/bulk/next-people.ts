import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { BEFORE_ALL_IDS, firstIdAt } from '../../platform/ids.ts';
import { chosen, type PeopleChoice } from '../subscribers/choose-people.ts';
import { choiceOf, type Selection } from '../subscribers/selection.ts';
import type { BulkJob } from './bulk-job.ts';

/** How many people a job takes in one transaction. */
export const BULK_PAGE = 1_000;

/** The people whom a job is about: those who fitted when it was asked for. */
export function choiceOfJob(customerId: number, { created_at: at }: BulkJob, selection: Selection): PeopleChoice {
  return choiceOf({ customerId, at }, selection);
}

/** The next people of a job. Whoever came after it was asked for is not meant, so that it ends. */
export async function nextPeople<Row>(
  tx: Tx,
  choice: PeopleChoice,
  { created_at: at }: Pick<BulkJob, 'created_at'>,
  place: string | null,
  columns: readonly string[],
): Promise<Row[]> {
  const end = firstIdAt(new Date(at.getTime() + 1));
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((column) => sql.ref(`s.${column}`)))} from subscribers s
    where ${chosen(choice)} and s.id > ${place ?? BEFORE_ALL_IDS}::uuid and s.id < ${end}::uuid
    order by s.id limit ${BULK_PAGE}`.execute(tx);
  return rows;
}
