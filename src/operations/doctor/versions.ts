import { type Check, failed, ok, type Verdict, warning } from './check.ts';

const NODE_MAJOR = 24;
const NEWEST_TRIED = 18;

/** Node.js: what this process runs on. */
export const node: Check = {
  name: 'node',
  needs: 'nothing',
  look: async () => [judgeNode(process.versions.node)],
};

export function judgeNode(version: string): Verdict {
  if (Number(version.split('.')[0]) >= NODE_MAJOR) return ok(`Node.js ${version}`);
  return failed(`Node.js ${version}`, `install Node.js ${NODE_MAJOR} or newer`);
}

const EXTENSIONS = ['pg_trgm', 'btree_gin'];

/** Whether PostgreSQL brings the extensions that the schema needs. */
export const extensions: Check = {
  name: 'extensions',
  needs: 'database',
  async look({ client }) {
    const { rows } = await client.query('select name from pg_available_extensions where name = any($1)', [EXTENSIONS]);
    const there = new Set(rows.map((row: { name: string }) => row.name));
    const missing = EXTENSIONS.filter((name) => !there.has(name)).join(', ');
    if (missing === '') return [ok(`${EXTENSIONS.join(' and ')} are there`)];
    return [failed(`${missing} cannot be had`, 'install the contrib package of PostgreSQL')];
  },
};

/** PostgreSQL: its version, and whether the order of texts is still what its indexes were built with. */
export const postgres: Check = {
  name: 'postgres',
  needs: 'database',
  async look({ client }) {
    const { rows } = await client.query(`
      select current_setting('server_version_num')::int / 10000 as major, current_setting('server_version') as version,
        datcollversion is not distinct from pg_database_collation_actual_version(oid) as same_collation
      from pg_database where datname = current_database()`);
    const { major, version, same_collation: sameCollation } = rows[0];
    return [
      major <= NEWEST_TRIED
        ? ok(`PostgreSQL ${version}`)
        : warning(
            `PostgreSQL ${version}`,
            `this version was tried up to PostgreSQL ${NEWEST_TRIED}: see the changelog`,
          ),
      sameCollation
        ? ok('texts are ordered as when the database was made')
        : failed(
            'the system orders texts otherwise than when the database was made: indexes may miss rows',
            'run REINDEX DATABASE and then ALTER DATABASE … REFRESH COLLATION VERSION, with the server stopped',
          ),
    ];
  },
};
