import { sql } from 'kysely';

/** The evidence of a place on a list that came by an import: which one, and its words, else those of the list then. */
export const JOINED_BY_IMPORT = sql`jsonb_strip_nulls(jsonb_build_object('import', import_id, 'text', consent_text_id))`;
