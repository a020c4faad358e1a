import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { BEFORE_ALL_IDS, firstIdAt } from '../../platform/ids.ts';
import { isEverybody, type PeopleChoice } from '../subscribers/choose-people.ts';
import type { BulkJob } from './bulk-job.ts';

/** How many are looked at in one statement, whether or not they fit: a segment may fit hardly anybody. */
const STRETCH = 20_000;

/** Some people in the order of their ids, whether or not they fit. */
interface Stretch {
  after: string;
  /** The last of them; null where they go to the last of all. */
  end: string | null;
  /** The first who came after the job was asked for. */
  before: string;
}

/** The people after somebody; all that are left where it is about everybody, of whom no condition has to be asked. */
export async function nextStretch(
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

/** The condition on `s`, a row of subscribers, that they are among them. */
export function within({ after, end, before }: Stretch): RawBuilder<boolean> {
  return sql`s.id > ${after}::uuid and s.id < ${before}::uuid and (${end}::uuid is null or s.id <= ${end}::uuid)`;
}
