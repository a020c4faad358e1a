import { Type } from 'typebox';
import type { Import } from './import.ts';

const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

export const ImportResource = Type.Object({
  id: Type.String({ format: 'uuid' }),
  type: Type.Literal('import'),
  attributes: Type.Object({
    state: Type.String({ description: 'waiting, running, done, failed, undoing, undone' }),
    dry_run: Type.Boolean(),
    subscription_list_id: Type.Union([Type.String(), Type.Null()]),
    columns: Type.Union([Type.Array(Type.Union([Type.String(), Type.Null()])), Type.Null()], {
      description: 'What each column of the file is taken for; null where one is left out',
    }),
    encoding: Type.Union([Type.String(), Type.Null()]),
    delimiter: Type.Union([Type.String(), Type.Null()]),
    bytes: Type.Integer(),
    bytes_done: Type.Integer(),
    rows_done: Type.Integer(),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    skipped: Type.Integer({ description: 'Rows that were not taken: GET rejects tells why' }),
    opted_out: Type.Integer({ description: 'Rows of people who opted out: they may be updated and stay out' }),
    removed: Type.Integer({ description: 'By an undo: people that the import had made' }),
    restored: Type.Integer({ description: 'By an undo: people that got their former values' }),
    kept: Type.Integer({ description: 'By an undo: people that the import had made and that somebody changed since' }),
    held_subscriber_ids: Type.Array(Type.String({ format: 'uuid' }), {
      description: 'By an undo: people whom a legal hold keeps as the import left them',
    }),
    failure: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ format: 'date-time' }),
    finished_at: Moment,
    undone_at: Moment,
  }),
});

/** An import as it goes over the wire. */
export function describeImport(row: Import) {
  const { form } = row.settings;
  return {
    id: row.id,
    type: 'import' as const,
    attributes: {
      state: row.state,
      dry_run: row.dry_run,
      subscription_list_id: row.subscription_list_id === null ? null : String(row.subscription_list_id),
      columns:
        form?.columns.map((column) => (column === null ? null : 'person' in column ? column.person : column.field)) ??
        null,
      encoding: form?.encoding ?? null,
      delimiter: form?.delimiter ?? null,
      bytes: row.bytes,
      bytes_done: row.bytes_done,
      rows_done: row.rows_done,
      created: row.created,
      updated: row.updated,
      unchanged: row.unchanged,
      skipped: row.skipped,
      opted_out: row.opted_out,
      removed: row.removed,
      restored: row.restored,
      kept: row.kept,
      held_subscriber_ids: row.held,
      failure: row.failure,
      created_at: row.created_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
      undone_at: row.undone_at?.toISOString() ?? null,
    },
  };
}
