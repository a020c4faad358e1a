import { withConnection } from '../../../platform/db/pool.ts';
import { listNodes } from '../../../platform/nodes.ts';
import { version } from '../../../version.ts';
import { moment, type ReadSection } from '../section.ts';

const DAY = 24 * 3600_000;

/** What runs here, and for how long it has. */
export const versions: ReadSection = async ({ installation }) => {
  const { ownerUrl, db, clock } = installation;
  const { postgres, migration } = await withConnection(ownerUrl, async (client) => ({
    postgres: (await client.query('show server_version')).rows[0].server_version as string,
    migration: (await client.query('select name, applied_at from schema_migrations order by name desc limit 1'))
      .rows[0],
  }));
  const nodes = await db.untenanted(listNodes);
  const since = (at: Date) => ({
    since: moment(at),
    age_days: Math.floor((clock.now().getTime() - at.getTime()) / DAY),
  });
  const unknown = { since: null, age_days: null };
  return {
    name: 'versions',
    title: 'Versions',
    about:
      'What runs and since when, as far as it is known here. All libraries with their versions are in sbom.cdx.json.',
    columns: ['part', 'version', 'since', 'age_days'],
    rows: [
      { part: 'Carepost', version, ...unknown },
      { part: 'database schema', version: migration.name, ...since(migration.applied_at) },
      { part: 'Node.js', version: process.versions.node, ...unknown },
      { part: 'OpenSSL', version: process.versions.openssl ?? null, ...unknown },
      { part: 'PostgreSQL', version: postgres, ...unknown },
      ...nodes.map(({ host, roles, version: running, startedAt }) => ({
        part: `process on ${host} (${roles.join(', ')})`,
        version: running,
        ...since(startedAt),
      })),
    ],
  };
};
