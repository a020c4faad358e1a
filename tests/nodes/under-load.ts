import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startReceiver } from '../support/webhook-receiver.ts';
import { findLosses, readFilesBack, waitForEnd } from './ledger.ts';
import { type Doors, prepareLoad, startLoad } from './mixed-load.ts';
import type { PersistentClient } from './persistent-client.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

interface Loaded {
  doors: Doors;
  ownerUrl: string;
  /** The settings under which commands find the installation. */
  env: Record<string, string>;
  client: PersistentClient;
  filesReadBack: number;
}

/**
 * Puts an installation under mixed load while something goes wrong with it: nothing acknowledged may be missing or doubled
 * afterwards, and the audit log must verify. Answers figures.
 */
export async function underLoad(
  t: TestContext,
  { doors, ownerUrl, env, client, filesReadBack }: Loaded,
  goWrong: () => Promise<void>,
): Promise<Record<string, number>> {
  const receiver = await startReceiver(t);
  const prepared = await prepareLoad(doors, receiver.url);
  const load = startLoad(doors, prepared, client);
  await goWrong();
  const acknowledged = await load.end();
  await waitForEnd(ownerUrl);
  const found = await findLosses(ownerUrl, acknowledged, receiver.received);
  await readFilesBack({ ...doors, formId: prepared.formId }, acknowledged.submissions.slice(-filesReadBack));
  verifyAudit(env);
  return { ...found, ...client.told };
}

function verifyAudit(env: Record<string, string>): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'audit', 'verify', '--json'], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
}
