import type { Act } from '../../platform/act.ts';
import { writeRows } from '../../platform/csv.ts';
import { unguessableId } from '../../platform/ids.ts';
import { rowsOf } from '../export/csv.ts';
import { exported, openForm } from '../submissions/export.ts';
import type { ReadDeps } from '../submissions/read.ts';
import { deidentifiedColumns } from './deidentified-columns.ts';

/**
 * A form's submissions as CSV without what names a person, by the safe harbour list of 45 CFR 164.514(b)(2). Rows have
 * names of this one export, and stand in no order.
 */
export async function openDeidentified(deps: ReadDeps, act: Act, formId: string): Promise<AsyncIterable<Buffer>> {
  const { versions, readShuffled } = await openForm(deps, act, { formId, submissionId: null });
  const columns = deidentifiedColumns(versions, unguessableId);
  return writeRows(columns.headers, rowsOf(columns, exported(versions, readShuffled())));
}
