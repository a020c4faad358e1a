import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isDatabaseAway, isPassingConflict, violatedConstraint } from '../../src/platform/db/failure.ts';
import { createPool, withConnection } from '../../src/platform/db/pool.ts';
import { createLog } from '../../src/platform/log.ts';
import { createTestDatabase } from '../support/database.ts';

function errorWith(facts: Record<string, string>): Error {
  return Object.assign(new Error(facts.message ?? 'anything'), facts);
}

function lock(name: string): string {
  return `select from installation where name = '${name}' for update`;
}

async function errorOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => assert.fail('it was expected to fail'),
    (error: Error) => error,
  );
}

test('lost, refused, full and overloaded databases are away; wrong statements and missing files are not', () => {
  const away = [
    { code: 'ECONNREFUSED', syscall: 'connect' },
    { code: 'ECONNRESET', syscall: 'read' },
    { code: 'EPIPE', syscall: 'write' },
    { code: 'ENOENT', syscall: 'connect' },
    { code: 'ENOTFOUND', syscall: 'getaddrinfo' },
    { code: 'EAI_AGAIN', syscall: 'getaddrinfo' },
    { code: '08006' },
    { code: '08P01' },
    { code: '53100' },
    { code: '53300' },
    { code: '57P01' },
    { code: '57P02' },
    { code: '57P03' },
    { code: '57P05' },
    { code: '57014' },
    { code: '58030' },
    { message: 'Connection terminated unexpectedly' },
    { message: 'Connection terminated due to connection timeout' },
    { message: 'timeout exceeded when trying to connect' },
    { message: 'Query read timeout' },
    { message: 'Client has encountered a connection error and is not queryable' },
    { message: 'Client was closed and is not queryable' },
  ];
  const here = [
    { code: '23505' },
    { code: '42501' },
    { code: '40P01' },
    { code: '22P02' },
    { code: 'P0001' },
    { code: '57000' },
    { code: 'ENOENT', syscall: 'open' },
    { code: 'EACCES', syscall: 'open' },
    { message: 'a note about Query read timeout' },
    { message: '' },
  ];
  for (const facts of away) assert.equal(isDatabaseAway(errorWith(facts)), true, JSON.stringify(facts));
  for (const facts of here) assert.equal(isDatabaseAway(errorWith(facts)), false, JSON.stringify(facts));
  for (const other of [null, undefined, 'ECONNREFUSED', { code: '57P01' }]) assert.equal(isDatabaseAway(other), false);
});

test('deadlocks and serialization failures pass, and only unique violations name a constraint', () => {
  for (const code of ['40P01', '40001']) assert.equal(isPassingConflict(errorWith({ code })), true);
  for (const code of ['40002', '23505', '57014', '55P03'])
    assert.equal(isPassingConflict(errorWith({ code })), false, code);
  assert.equal(violatedConstraint(errorWith({ code: '23505', constraint: 'users_email' })), 'users_email');
  assert.equal(violatedConstraint(errorWith({ code: '23505' })), '');
  assert.equal(violatedConstraint(errorWith({ code: '23503', constraint: 'users_email' })), null);
  assert.equal(violatedConstraint(new Error('anything')), null);
});

test('the errors that the driver really throws are told apart', async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  const run = (text: string) => withConnection(url, (client) => client.query(text));

  const gone = new URL(url);
  gone.pathname = `/${randomBytes(6).toString('hex')}`;
  assert.equal(isDatabaseAway(await errorOf(withConnection(gone.href, async () => {}))), false, 'no such database');
  const nobody = 'postgres://nobody:secret@127.0.0.1:1/nothing';
  assert.equal(isDatabaseAway(await errorOf(withConnection(nobody, async () => {}))), true, 'refused');
  const nowhere = `postgres://nobody:secret@${encodeURIComponent('/nonexistent')}/nothing`;
  assert.equal(isDatabaseAway(await errorOf(withConnection(nowhere, async () => {}))), true, 'no socket');
  assert.equal(isDatabaseAway(await errorOf(run('select pg_terminate_backend(pg_backend_pid())'))), true, 'ended');
  assert.equal(isDatabaseAway(await errorOf(run(`set statement_timeout = 1; select pg_sleep(1)`))), true, 'too slow');
  assert.equal(isDatabaseAway(await errorOf(run('select nonsense'))), false, 'wrong');

  const twice = `insert into installation values ('a', ''), ('a', '')`;
  assert.equal(violatedConstraint(await errorOf(run(twice))), 'installation_pkey');

  const pool = createPool({ url: nobody, max: 1, log: createLog('silent'), name: 'test' });
  t.after(() => pool.end());
  assert.equal(isDatabaseAway(await errorOf(pool.query('select 1'))), true, 'a pool without a server');
});

test('the deadlock that PostgreSQL resolves is one that passes', async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  await withConnection(url, (one) =>
    withConnection(url, async (other) => {
      await one.query(`set deadlock_timeout = '10ms'; insert into installation values ('a', ''), ('b', '')`);
      await one.query(`begin; ${lock('a')}`);
      await other.query(`begin; ${lock('b')}`);
      const outcomes = await Promise.allSettled([one.query(lock('b')), other.query(lock('a'))]);
      const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
      assert.equal(failed.length, 1);
      assert.equal(isPassingConflict(failed[0]?.reason), true);
    }),
  );
});
