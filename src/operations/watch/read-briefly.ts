import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';

const LONGEST_MS = 2_000;

/** The rows of a statement that has to be quick: to be watched must not cost what is watched. */
export async function readBriefly<Row>(db: Database, statement: RawBuilder<Row>): Promise<Row[]> {
  return db.untenanted(async (tx) => {
    await sql.raw(`set local statement_timeout = ${LONGEST_MS}`).execute(tx);
    const { rows } = await statement.execute(tx);
    return rows;
  });
}
