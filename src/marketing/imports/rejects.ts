import type { Database, Tx } from '../../platform/db/database.ts';
import type { Reject } from './chunk.ts';
import '../tables.ts';

const PAGE = 1_000;

/** A page of the rows of a file that were not taken, those after a line. */
export function listRejects(tx: Tx, customerId: number, importId: string, afterLine: number): Promise<Reject[]> {
  return tx
    .selectFrom('import_rejects')
    .select(['line', 'reasons'])
    .where('customer_id', '=', customerId)
    .where('import_id', '=', importId)
    .where('line', '>', afterLine)
    .orderBy('line')
    .limit(PAGE)
    .execute();
}

/** All of them as CSV. */
export async function* rejectsAsCsv(db: Database, customerId: number, importId: string): AsyncGenerator<Buffer> {
  yield Buffer.from('line,reasons\r\n');
  for (let last = 0; ; ) {
    const after = last;
    const page = await db.tenant([customerId], (tx) => listRejects(tx, customerId, importId, after));
    const lines = page.map(({ line, reasons }) => `${line},"${reasons.join('; ').replaceAll('"', '""')}"\r\n`);
    yield Buffer.from(lines.join(''));
    if (page.length < PAGE) return;
    last = page.at(-1)?.line ?? 0;
  }
}
