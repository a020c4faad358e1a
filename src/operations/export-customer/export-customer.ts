import { readCustomer, recordAct, type SigningKey } from '../../accounts/index.ts';
import { keysIfAny } from '../../email/index.ts';
import type { Act } from '../../platform/act.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { RECORDS } from '../records.ts';
import { MANIFEST, openFolder } from './folder.ts';
import { type Exported, measureFiles, signManifest, writeSums } from './manifest.ts';
import { overviewPage } from './overview-page.ts';
import { linesOf } from './table-rows.ts';
import { writeFiles } from './write-files.ts';
import { writeForms } from './write-forms.ts';
import { describeTables } from './write-schema.ts';

interface Deps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
  publicUrl: string;
  signingKey: SigningKey;
}

/**
 * Writes everything that a customer has into a folder, readable, with a signed list of it. Whoever calls it again after it
 * was cut off finds the files that are whole, and gets the others. Of a customer that was destroyed it writes what is left.
 */
export async function exportCustomer(deps: Deps, act: Act, path: string): Promise<Exported> {
  const { db, clock, signingKey } = deps;
  const { customerId } = act;
  const folder = await openFolder(path, { customer: customerId, now: clock.now() });
  const { beganAt } = folder;
  const keys = await keysIfAny(deps.vault, customerId);
  const { name, username } = await db.tenant([customerId], async (tx) => {
    await recordAct(tx, clock, act, {});
    return readCustomer(tx, customerId);
  });
  if (keys !== null) await writeForms(deps, act, folder);
  await writeFiles(deps, { customerId, isReadable: keys !== null }, folder);
  for (const kind of RECORDS) {
    if (kind.notExported !== undefined) continue;
    await folder.write(`${kind.area}/${kind.table}.jsonl`, () => linesOf({ db, keys }, customerId, kind));
  }
  // What came while it was being written is in it too.
  await db.tenant([customerId], (tx) => recordAct(tx, clock, act, {}));
  const schema = `${JSON.stringify(await db.untenanted(describeTables), null, 2)}\n`;
  await folder.replace('schema.json', piecesOf(schema));
  const listed = await Array.fromAsync(measureFiles(folder, (file) => /\.(jsonl|csv)$/.test(file)));
  await folder.replace('README.html', piecesOf(overviewPage({ name, username, at: beganAt }, listed)));
  const { sums, ...total } = await writeSums(folder);
  const at = clock.now().toISOString();
  const { files, bytes } = total;
  const manifest = signManifest(signingKey, { customer: customerId, username, beganAt, at, files, bytes, sums });
  await folder.replace(MANIFEST, piecesOf(manifest));
  return total;
}

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
