import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { chosen, type PeopleChoice } from '../subscribers/choose-people.ts';
import { choiceOf, type Selection } from '../subscribers/selection.ts';
import type { BulkJob } from './bulk-job.ts';
import { nextStretch, within } from './stretch.ts';

/** How many people a job takes in one transaction. */
const BULK_PAGE = 1_000;

/** The people whom a job is about: those who fitted when it was asked for. */
export function choiceOfJob(customerId: number, { created_at: at }: BulkJob, selection: Selection): PeopleChoice {
  return choiceOf({ customerId, at }, selection);
}

/** People of a job, and after whom to go on; null where nobody is left. */
export interface PeoplePage<Row> {
  people: Row[];
  place: string | null;
}

/** The next people of a job. Whoever came after it was asked for is not meant, so that it ends. */
export async function nextPeople<Row extends { id: string }>(
  tx: Tx,
  choice: PeopleChoice,
  job: Pick<BulkJob, 'created_at'>,
  place: string | null,
  columns: readonly string[],
): Promise<PeoplePage<Row>> {
  const stretch = await nextStretch(tx, choice, job, place);
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((column) => sql.ref(`s.${column}`)))} from subscribers s
    where ${chosen(choice)} and ${within(stretch)} order by s.id limit ${BULK_PAGE}`.execute(tx);
  const isFull = rows.length === BULK_PAGE;
  return { people: rows, place: isFull ? (rows.at(-1) as Row).id : stretch.end };
}
