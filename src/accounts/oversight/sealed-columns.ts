import type { SealedColumn } from '../../platform/vault/reseal.ts';

/** The columns in which oversight keeps sealed values. */
export const OVERSIGHT_SEALED_COLUMNS: SealedColumn[] = [
  { table: 'break_glass_grants', row: 'id', column: 'reason' },
  { table: 'activity_reviews', row: 'id', column: 'notes' },
  { table: 'incidents', row: 'id', column: 'told' },
  { table: 'incident_entries', row: 'id', column: 'told' },
];
