import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { COUNT_NAMES, OPEN_NAMES, SEND_COUNTS, SENDS_WITH_COUNTS, type SendCounts } from './counts.ts';
import { inScope, type Scope } from './scope.ts';
import '../tables.ts';

/** What has become of all mails in scope, up to now. */
export async function readTotals(tx: Tx, scope: Scope): Promise<SendCounts> {
  const sums = [...COUNT_NAMES, ...OPEN_NAMES].map(
    (name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`,
  );
  const { rows } = await sql<SendCounts>`
    select ${sql.join(sums)} from (select ${SEND_COUNTS} from ${SENDS_WITH_COUNTS} where ${inScope(scope)}) n`.execute(
    tx,
  );
  return rows[0] as SendCounts;
}
