import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/db/database.ts';
import { chosen, isEverybody, isWholeList, type PeopleChoice } from '../subscribers/choose-people.ts';
import { countSubscribers } from '../subscribers/list.ts';
import type { BulkJob } from './bulk-job.ts';
import { nextStretch, within } from './stretch.ts';

/** How many people a job is about, as it begins. */
export async function countPeople(
  db: Database,
  choice: PeopleChoice,
  job: Pick<BulkJob, 'created_at'>,
): Promise<number> {
  const ofCustomer = <T>(work: (tx: Tx) => Promise<T>) => db.tenant([choice.customerId], work);
  if (isEverybody(choice) || isWholeList(choice)) return ofCustomer((tx) => countSubscribers(tx, choice));
  let total = 0;
  for (let place: string | null = null, isOver = false; !isOver; isOver = place === null) {
    const after: string | null = place;
    const { end, people } = await ofCustomer(async (tx) => {
      const stretch = await nextStretch(tx, choice, job, after);
      const { rows } = await sql<{ people: number }>`
        select count(*) as people from subscribers s where ${chosen(choice)} and ${within(stretch)}`.execute(tx);
      return { end: stretch.end, people: rows[0]?.people ?? 0 };
    });
    total += people;
    place = end;
  }
  return total;
}
