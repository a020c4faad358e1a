import type { SelectQueryBuilder } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import type { Column } from './columns.ts';
import type { CsvForm } from './reading/csv-reader.ts';
import type { Encoding } from './reading/encoding.ts';
import type { Wanted } from './settings.ts';
import '../tables.ts';

/** `waiting` until a job has looked at the file; an import that is taken back is `undoing`, then `undone`. */
export type ImportState = 'waiting' | 'running' | 'done' | 'failed' | 'undoing' | 'undone';

/** What an undo takes back, one after the other. */
export type UndoStep = 'subscriptions' | 'people' | 'changes';

/** How a file is read, once it has been looked at. */
export interface FileForm extends CsvForm {
  encoding: Encoding;
  columns: Column[];
}

/** How an import was asked for, and how its file is read. */
export type ImportSettings = Omit<Wanted, 'listId' | 'dryRun'> & { form: FileForm | null };

/** Where an import stands and what came of it. */
export interface Import {
  id: string;
  state: ImportState;
  dry_run: boolean;
  subscription_list_id: number | null;
  settings: ImportSettings;
  blob_id: string | null;
  bytes: number;
  bytes_done: number;
  lines_done: number;
  rows_done: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  opted_out: number;
  removed: number;
  restored: number;
  kept: number;
  /** Whom an undo passed over, as a legal hold keeps them. */
  held: string[];
  failure: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  undone_at: Date | null;
}

const COLUMNS = [
  'id',
  'state',
  'dry_run',
  'subscription_list_id',
  'settings',
  'blob_id',
  'bytes',
  'bytes_done',
  'lines_done',
  'rows_done',
  'created',
  'updated',
  'unchanged',
  'skipped',
  'opted_out',
  'removed',
  'restored',
  'kept',
  'held',
  'failure',
  'created_at',
  'started_at',
  'finished_at',
  'undone_at',
] as const satisfies (keyof Import)[];

/** The job that works on an import. */
export const IMPORT_TASK = 'marketing.import';

/** The imports of a customer. */
export function selectImports(tx: Tx, customerId: number): SelectQueryBuilder<Tables, 'imports', Import> {
  return tx.selectFrom('imports').select(COLUMNS).where('customer_id', '=', customerId);
}

/** The key under which the job of an import waits once. */
export function jobKeyOf(importId: string): string {
  return `import/${importId}`;
}
