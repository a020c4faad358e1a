import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext } from 'node:test';
import { createCustomer } from '../../src/accounts/index.ts';
import { readConfig } from '../../src/config.ts';
import { openInstallation } from '../../src/installation.ts';
import type { DatabaseBench, State } from '../../src/operations/doctor/check.ts';
import { examine } from '../../src/operations/doctor/index.ts';
import { writeBlobRow } from '../../src/platform/blob/sealed-blobs.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import { createLog } from '../../src/platform/log.ts';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/server.ts';

export let folder: string;
export let ownerUrl: string;
export let env: Record<string, string>;

/** Sets an installation up before the tests of a file. */
export function examineOne(): void {
  before(async (t) => {
    const database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'carepost-doctor-'));
    ownerUrl = database.url;
    env = {
      CAREPOST_DATA_DIR: join(folder, 'data'),
      CAREPOST_DATABASE_URL: ownerUrl,
      CAREPOST_LIMITS: 'free-disk=1MB',
      CAREPOST_HTTP_PORT: String(await freePort()),
      CAREPOST_SMTP_PORT: '0',
      CAREPOST_SMTPS_PORT: '0',
    };
    const installation = await openInstallation(readConfig(env), { log: createLog('silent') });
    const clinic = { name: 'Clinic', username: 'clinic' };
    const customerId = await createCustomer(installation, { kind: 'cli', id: 'test' }, clinic);
    const file = await installation.blobs.write(customerId, [Buffer.from('a file')]);
    await installation.db.tenant([customerId], (tx) => writeBlobRow(tx, systemClock, file));
    await installation.close();
    (t as TestContext).after(async () => {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });
  });
}

export const sql = (text: string) => withConnection(ownerUrl, (client) => client.query(text));

/** What one check finds that is not as it should be. */
export async function troubles(check: string, more: Record<string, string> = {}) {
  const findings = await examine(readConfig({ ...env, ...more }), [check]);
  assert.ok(findings.some((finding) => finding.check === check));
  for (const { state, todo } of findings) assert.equal(todo === null, state === 'ok', 'what is wrong can be mended');
  return findings.filter(({ check: name, state }) => name === check && state !== 'ok');
}

/** Fails unless a check finds just this one trouble. */
export async function finds(
  check: string,
  state: State,
  found: RegExp,
  more: Record<string, string> = {},
): Promise<void> {
  const all = await troubles(check, more);
  assert.equal(all.length, 1, JSON.stringify(all));
  assert.equal(all[0]?.state, state);
  assert.match(all[0]?.found ?? '', found);
}

/** Breaks something for as long as a check is made, which finds nothing wrong before and afterwards. */
export async function broken(breaking: [spoil: string, mend: string], look: () => Promise<void>, check: string) {
  assert.deepEqual(await troubles(check), []);
  await sql(breaking[0]);
  await look();
  await sql(breaking[1]);
  assert.deepEqual(await troubles(check), []);
}

export const database = (setting: string, value: string): [string, string] => {
  const name = new URL(ownerUrl).pathname.slice(1);
  return [`alter database ${name} set ${setting} = ${value}`, `alter database ${name} reset ${setting}`];
};

/** What a check looks at, for those that are made by hand. */
export const bench = (client: Client, more: Partial<DatabaseBench> = {}): DatabaseBench => {
  const base = { config: readConfig(env), clock: systemClock, log: createLog('silent'), ownerUrl, client };
  return { ...base, ...more };
};
