import type { Client } from './pool.ts';

interface Facts {
  encoding: string;
  isEmpty: boolean;
  user: string;
  database: string;
  ownsDatabase: boolean;
  ownsSchema: boolean;
}

/** Refuses an empty database in which the product could not be set up, with the statement that mends it. */
export async function refuseUnfitDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<Facts>(
    `select current_setting('server_encoding') as encoding, to_regclass('public.schema_migrations') is null as "isEmpty",
       quote_ident(current_user) as "user", quote_ident(datname) as database,
       pg_has_role(datdba, 'usage') as "ownsDatabase",
       coalesce((select pg_has_role(nspowner, 'usage') from pg_namespace where nspname = 'public'), false) as "ownsSchema"
     from pg_database where datname = current_database()`,
  );
  const { encoding, isEmpty, user, database, ownsDatabase, ownsSchema } = rows[0] as Facts;
  if (!isEmpty) return;
  if (encoding !== 'UTF8')
    throw new Error(`the database ${database} has the encoding ${encoding}: make one with the encoding UTF8`);
  if (!ownsDatabase)
    throw new Error(`the database ${database} is another user's: alter database ${database} owner to ${user}`);
  if (!ownsSchema) throw new Error(`the schema public is another user's: alter schema public owner to ${user}`);
}

/**
 * Refuses to give the roles other passwords for the sake of an empty database while another one of the server works with
 * them: its nodes could not connect any more.
 */
export async function refuseRolesOfOthers(client: Client, roles: string[]): Promise<void> {
  const { rows } = await client.query<{ isEmpty: boolean; others: string[] }>(
    `select to_regclass('public.schema_migrations') is null as "isEmpty", array(
       select distinct d.datname::text from pg_shdepend s join pg_database d on d.oid = s.dbid
       where s.refclassid = 'pg_authid'::regclass and d.datname <> current_database()
         and s.refobjid in (select oid from pg_roles where rolname = any($1)) order by 1) as others`,
    [roles],
  );
  const [{ isEmpty, others } = { isEmpty: false, others: [] }] = rows;
  if (!isEmpty || others.length === 0) return;
  throw new Error(
    `database ${others.join(', ')} of this server has the roles carepost_… of an installation already: one server takes one installation`,
  );
}

/** Refuses a user that may not make the roles, or not alter those that are there, which PostgreSQL 16 and newer tell apart. */
export async function refuseUserWithoutRights(client: Client, roles: string[]): Promise<void> {
  const { rows } = await client.query<{ user: string; mayCreate: boolean; foreign: string[] }>(
    `select quote_ident(rolname) as "user", rolcreaterole or rolsuper as "mayCreate", array(
       select rolname::text from pg_roles where rolname = any($1) and not pg_has_role(oid, 'member with admin option')
         and current_setting('server_version_num')::int >= 160000 order by 1) as foreign
     from pg_roles where rolname = current_user`,
    [roles],
  );
  const [{ user, mayCreate, foreign } = { user: '', mayCreate: true, foreign: [] }] = rows;
  if (!mayCreate)
    throw new Error(`the user ${user} may not make the roles of the product: alter role ${user} createrole`);
  if (foreign.length > 0)
    throw new Error(
      `the user ${user} may not alter the roles of the product: grant ${foreign.join(', ')} to ${user} with admin option`,
    );
}
