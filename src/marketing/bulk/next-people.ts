import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../../platform/db/database.ts';
import { BEFORE_ALL_IDS, firstIdAt } from '../../platform/ids.ts';
import { chosen, isEverybody, isWholeList, type PeopleChoice } from '../subscribers/choose-people.ts';
import { countSubscribers } from '../subscribers/list.ts';
import { choiceOf, type Selection } from '../subscribers/selection.ts';
import type { BulkJob } from './bulk-job.ts';

/** How many people a job takes in one transaction. */
const BULK_PAGE = 1_000;
/** How many are looked at in one statement, whether or not they fit: a segment may fit hardly anybody. */
const STRETCH = 20_000;

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

/** Some people in the order of their ids, whether or not they fit. */
interface Stretch {
  after: string;
  /** The last of them; null where they go to the last of all. */
  end: string | null;
  /** The first who came after the job was asked for. */
  before: string;
}

async function nextStretch(
  tx: Tx,
  choice: PeopleChoice,
  { created_at: at }: Pick<BulkJob, 'created_at'>,
  place: string | null,
): Promise<Stretch> {
  const [after, before] = [place ?? BEFORE_ALL_IDS, firstIdAt(new Date(at.getTime() + 1))];
  if (isEverybody(choice)) return { after, end: null, before };
  const { rows } = await sql<{ id: string }>`
    select id from subscribers where customer_id = ${choice.customerId} and id > ${after}::uuid and id < ${before}::uuid
    order by id offset ${STRETCH - 1} limit 1`.execute(tx);
  return { after, end: rows[0]?.id ?? null, before };
}

function within({ after, end, before }: Stretch): RawBuilder<boolean> {
  return sql`s.id > ${after}::uuid and s.id < ${before}::uuid and (${end}::uuid is null or s.id <= ${end}::uuid)`;
}
