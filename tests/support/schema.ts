import { withConnection } from '../../src/platform/db/pool.ts';

const IN_PUBLIC = `n.nspname = 'public'`;
// An owner may do more with every version of PostgreSQL.
const grants = (list: string, owner: string) =>
  `(select string_agg(split_part(a::text, '/', 1), ' ' order by a::text collate "C") from unnest(${list}) a
    where split_part(a::text, '=', 1) <> pg_get_userbyid(${owner}))`;

/** What there is in a schema, kind by kind, each as lines that do not depend on when or in which order it was made. */
const PARTS = {
  tables: `select format('%s %s %s %s %s', c.relname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, ${grants('c.relacl', 'c.relowner')}) as line
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${IN_PUBLIC} and c.relkind in ('r', 'p', 'S', 'v')`,
  columns: `select format('%s.%s %s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid)) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where ${IN_PUBLIC} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  constraints: `select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(o.oid)) as line
    from pg_constraint o join pg_namespace n on n.oid = o.connamespace
    where ${IN_PUBLIC} and conparentid = 0 and contype in ('c', 'f', 'p', 'u')`,
  indexes: `select replace(indexdef, '  ', ' ') as line from pg_indexes where schemaname = 'public'`,
  policies: `select format('%s %s %s %s %s %s', tablename, policyname, roles, cmd, qual, with_check) as line
    from pg_policies where schemaname = 'public'`,
  functions: `select format('%s %s %s', pg_get_functiondef(p.oid), pg_get_userbyid(p.proowner), ${grants('p.proacl', 'p.proowner')}) as line
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${IN_PUBLIC} and p.prokind in ('f', 'p') and p.prolang not in (select oid from pg_language where lanname = 'c')`,
  triggers: `select pg_get_triggerdef(g.oid) || g.tgenabled::text as line from pg_trigger g where not g.tgisinternal`,
};

/** What a database's schema is made of, line by line. */
async function describeSchema(ownerUrl: string): Promise<Set<string>> {
  const owner = new URL(ownerUrl).username;
  return withConnection(ownerUrl, async (client) => {
    const lines = new Set<string>();
    for (const [part, text] of Object.entries(PARTS)) {
      const { rows } = await client.query<{ line: string }>(text);
      for (const { line } of rows) lines.add(`${part}: ${line.replaceAll(owner, 'OWNER')}`);
    }
    return lines;
  });
}

/** What one of two schemas has and the other has not. */
export async function schemaDifferences(oneUrl: string, otherUrl: string): Promise<string[]> {
  const [one, other] = await Promise.all([describeSchema(oneUrl), describeSchema(otherUrl)]);
  return [...one.symmetricDifference(other)].toSorted();
}
