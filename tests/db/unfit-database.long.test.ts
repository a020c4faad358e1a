import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { canConnect, withConnection } from '../../src/platform/db/pool.ts';
import { urlForRole } from '../../src/platform/db/roles.ts';
import { startPostgres } from '../deploy/postgres.ts';
import { openCommandLine } from '../support/command-line.ts';

const BY_PASSWORD = join(import.meta.dirname, '../../deploy/docker/pg_hba.conf');

test('a server or user that the product cannot be set up with is refused with what mends it', async (t) => {
  const server = await startPostgres(t, 'chief', [`hba_file=${BY_PASSWORD}`]);
  const { run } = await openCommandLine(t);
  const onServer = (...statements: string[]) =>
    withConnection(server.addressOf('chief', 'postgres'), async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  const migrate = (user: string, database: string) =>
    run(['migrate'], { CAREPOST_DATABASE_URL: server.addressOf(user, database) });
  const refused = async (user: string, database: string, because: string) =>
    assert.deepEqual(await migrate(user, database), { code: 1, out: '', err: `carepost: ${because}\n` });

  await onServer(
    `create role modest login password 'CHANGE-ME'`,
    'create database first owner chief',
    `create database bytes owner modest encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`,
  );
  await refused('modest', 'bytes', 'the database bytes has the encoding SQL_ASCII: make one with the encoding UTF8');
  await refused('modest', 'first', "the database first is another user's: alter database first owner to modest");
  await onServer('alter database first owner to modest');
  await refused(
    'modest',
    'first',
    'the user modest may not make the roles of the product: alter role modest createrole',
  );
  await onServer('alter role modest createrole');
  await withConnection(server.addressOf('chief', 'first'), (client) =>
    client.query('alter schema public owner to chief'),
  );
  await refused('modest', 'first', "the schema public is another user's: alter schema public owner to modest");
  await withConnection(server.addressOf('chief', 'first'), (client) =>
    client.query('alter schema public owner to modest'),
  );
  assert.equal((await migrate('modest', 'first')).code, 0);

  await onServer(`create role second login createrole password 'ANOTHER'`, 'create database second owner second');
  const elsewhere = server.addressOf('second', 'second').replace('CHANGE-ME', 'ANOTHER');
  assert.deepEqual(await run(['migrate'], { CAREPOST_DATABASE_URL: elsewhere }), {
    code: 1,
    out: '',
    err: 'carepost: database first of this server has the roles carepost_… of an installation already: one server takes one installation\n',
  });
  assert.equal(await canConnect(urlForRole(server.addressOf('modest', 'first'), 'app')), true);
});

test('roles that a user before it has made are taken over once that user lets go of them', async (t) => {
  const server = await startPostgres(t, 'chief', [`hba_file=${BY_PASSWORD}`]);
  const { run } = await openCommandLine(t);
  const roles = ['app', 'finder', 'jobs', 'sealer', 'worker'].map((role) => `carepost_${role}`);
  const grant = `grant ${roles.join(', ')} to after with admin option`;
  const migrate = (user: string) => run(['migrate'], { CAREPOST_DATABASE_URL: server.addressOf(user, `of_${user}`) });
  await withConnection(server.addressOf('chief', 'postgres'), async (client) => {
    for (const user of ['before', 'after']) {
      await client.query(`create role ${user} login createrole password 'CHANGE-ME'`);
      await client.query(`create database of_${user} owner ${user}`);
    }
    assert.equal((await migrate('before')).code, 0);
    await client.query('drop database of_before');
    assert.deepEqual(await migrate('after'), {
      code: 1,
      out: '',
      err: `carepost: the user after may not alter the roles of the product: ${grant}\n`,
    });
    await client.query(grant);
    assert.equal((await migrate('after')).code, 0);
  });
});
