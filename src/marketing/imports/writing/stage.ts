import { copyInto } from '../../../platform/db/copy.ts';
import { timeOrderedId } from '../../../platform/ids.ts';
import { sealFields } from '../../fields/sealed-fields.ts';
import type { ImportRow } from '../row.ts';
import type { ChunkDeps, Running } from './running.ts';
import { STAGE, STAGED } from './statements.ts';
import { optedOutAmong } from './suppressed.ts';

/** Copies rows into the table of the transaction's own on which the statements of a chunk work. */
export async function stage(
  { client, clock, keys }: ChunkDeps,
  { customerId, lists }: Running,
  people: readonly ImportRow[],
): Promise<void> {
  const optedOut = await optedOutAmong(client, keys, customerId, people);
  await client.query(STAGE);
  await copyInto(client, 'import_rows', STAGED, stagedRows());

  function* stagedRows() {
    for (const [number, row] of people.entries()) {
      const id = timeOrderedId(clock);
      yield [
        String(number),
        id,
        timeOrderedId(clock),
        lists.length > 1 ? timeOrderedId(clock) : null,
        row.email,
        row.phoneNumber,
        row.firstName,
        row.lastName,
        row.timeZone,
        JSON.stringify(row.fields),
        optedOut.has(row) || row.optedOut ? 't' : 'f',
        Object.keys(row.phi).length === 0 ? null : `\\x${sealFields(keys, id, row.phi).toString('hex')}`,
      ];
    }
  }
}
