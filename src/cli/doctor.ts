import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { listCustomers } from '../accounts/index.ts';
import type { Installation } from '../installation.ts';
import { withConnection } from '../platform/db/pool.ts';
import { type Command, withInstallation } from './command.ts';

interface Finding {
  check: string;
  ok: boolean;
  /** What was found or, where it is wrong, what to do about it. */
  note: string;
}

type Check = (installation: Installation) => Promise<Finding>;

const databaseSettings: Check = async ({ ownerUrl }) => {
  const wanted = ['fsync', 'full_page_writes', 'synchronous_commit'];
  const { rows } = await withConnection(ownerUrl, (client) =>
    client.query('select name, setting from pg_settings where name = any($1)', [wanted]),
  );
  const off = rows.filter((row: { setting: string }) => row.setting !== 'on').map((row: { name: string }) => row.name);
  const note =
    off.length === 0
      ? 'fsync, full_page_writes and synchronous_commit are on'
      : `turn on ${off.join(', ')}: accepted work could be lost`;
  return { check: 'database settings', ok: off.length === 0, note };
};

const databaseClock: Check = async ({ ownerUrl, clock }) => {
  const { rows } = await withConnection(ownerUrl, (client) => client.query('select clock_timestamp() as now'));
  const apart = Math.abs((rows[0].now as Date).getTime() - clock.now().getTime());
  const ok = apart < 2_000;
  return {
    check: 'clock',
    ok,
    note: ok ? 'agrees with the database' : `differs from the database by ${apart} ms: synchronise both`,
  };
};

const masterKey: Check = async ({ config: { masterKeyFile } }) => {
  const open = (statSync(masterKeyFile).mode & 0o077) !== 0;
  const left = existsSync(`${masterKeyFile}.next`);
  if (open) return { check: 'master key', ok: false, note: `chmod 400 ${masterKeyFile}: others can read it` };
  if (left)
    return { check: 'master key', ok: false, note: 'a rotation was cut off: run carepost vault rotate --master again' };
  return { check: 'master key', ok: true, note: 'there, and readable by its owner only' };
};

const customerKeys: Check = async ({ db, vault }) => {
  const customers = await listCustomers(db);
  let destroyed = 0;
  for (const { id } of customers) await vault.of(id).catch(() => (destroyed += 1));
  return {
    check: 'customer keys',
    ok: true,
    note: `${customers.length - destroyed} customers with keys, ${destroyed} without`,
  };
};

const blobs: Check = async ({ blobStore }) => {
  try {
    await blobStore.check();
    return { check: 'blob store', ok: true, note: 'can be written' };
  } catch {
    return { check: 'blob store', ok: false, note: 'cannot be written: check CAREPOST_BLOB_URL and its permissions' };
  }
};

const disk: Check = async ({ config }) => {
  const { bavail, bsize } = await statfs(config.dataDir);
  const [free, least] = [bavail * bsize, config.limits.freeDiskBytes];
  const note = `${Math.round(free / 2 ** 20)} MB free; writes are refused below ${Math.round(least / 2 ** 20)} MB`;
  return { check: 'disk', ok: free >= least, note };
};

const agreements: Check = async ({ db, clock }) => {
  const today = clock.now().toISOString().slice(0, 10);
  const customers = await listCustomers(db);
  const without: string[] = [];
  for (const { id, username } of customers) {
    const row = await db.tenant([id], (tx) =>
      tx
        .selectFrom('agreements')
        .select('id')
        .where('customer_id', '=', id)
        .where('signed_on', '<=', today)
        .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>=', today)]))
        .executeTakeFirst(),
    );
    if (row === undefined) without.push(username);
  }
  const note =
    without.length === 0
      ? 'in force for every customer'
      : `none in force for ${without.join(', ')}: carepost agreement record`;
  return { check: 'agreements', ok: without.length === 0, note };
};

const CHECKS: Check[] = [databaseSettings, databaseClock, masterKey, customerKeys, blobs, disk, agreements];

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  about: 'say what is wrong with this installation, and what to do about it',
  run: ({ config }) =>
    withInstallation(config, async (installation) => {
      const findings: Finding[] = [];
      for (const check of CHECKS) findings.push(await check(installation));
      const lines = findings.map(({ check, ok, note }) => `${ok ? 'ok   ' : 'WRONG'}  ${check}: ${note}`);
      return { json: { findings }, text: lines.join('\n'), failed: findings.some(({ ok }) => !ok) };
    }),
};
