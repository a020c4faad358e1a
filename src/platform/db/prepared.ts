import { type RawBuilder, sql } from 'kysely';

const MARK = /^\s*(?:select )?\/\* prepared ([a-z-]+) \*\//;

/** All statements within transactions that are prepared, so that a name is never anything but ours. */
type Statement = 'enqueue-webhooks' | 'lease-webhooks' | 'record-events';

/**
 * Stands at the beginning of a statement that is made all the time: each connection parses and plans it once, which takes
 * longer than carrying it out where tables have partitions. Under one name it must always have the same text, so that
 * lists go into one parameter.
 */
export function preparedAs(name: Statement): RawBuilder<unknown> {
  return sql.raw(`/* prepared ${name} */`);
}

/** The name under which a statement asks to be prepared; null where it does not. */
export function preparedName(text: string): string | null {
  return MARK.exec(text)?.[1] ?? null;
}
