import { type Check, failed, ok } from './check.ts';

/** Whether PostgreSQL keeps customers apart: row-level security that is forced, and roles that it holds for. */
export const walls: Check = {
  name: 'walls',
  needs: 'database',
  async look({ client }) {
    const { rows: open } = await client.query(`
      select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'customer_id' and a.attnum > 0)
        and not (c.relrowsecurity and c.relforcerowsecurity) order by 1`);
    const { rows: strong } = await client.query(`
      select rolname from pg_roles where rolname like 'carepost\\_%' and rolname <> current_user
        and (rolsuper or rolbypassrls or rolcreaterole) order by 1`);
    const tables = open.map((row: { relname: string }) => row.relname).join(', ');
    const roles = strong.map((row: { rolname: string }) => row.rolname).join(', ');
    return [
      tables === ''
        ? ok('row-level security is forced on every table of customers')
        : failed(
            `row-level security is not forced on ${tables}`,
            'ALTER TABLE … ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; find out who turned it off',
          ),
      roles === ''
        ? ok('no role of the product may pass by it')
        : failed(`${roles} may pass by row-level security`, 'ALTER ROLE … NOSUPERUSER NOBYPASSRLS NOCREATEROLE'),
    ];
  },
};
