import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { BEFORE_ALL_IDS } from '../../platform/ids.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { openBeside } from './sealed-submission.ts';
import { open, selectSubmissions } from './submission.ts';

const PAGE = 200;

interface Deps {
  db: Database;
  vault: Vault;
}

/** Opens every submission of a customer with all that belongs to it, and tells which cannot be. */
export async function checkSubmissions(
  deps: Deps,
  customerId: number,
  onFault: (what: string) => void,
): Promise<number> {
  const forms = await deps.db.tenant([customerId], (tx) =>
    tx.selectFrom('forms').select('id').where('customer_id', '=', customerId).execute(),
  );
  let opened = await checkNotes(deps, customerId, onFault);
  for (const { id } of forms) opened += await checkForm(deps, { customerId, formId: id }, onFault);
  return opened;
}

async function checkForm(
  { db, vault }: Deps,
  { customerId, formId }: { customerId: number; formId: string },
  onFault: (what: string) => void,
): Promise<number> {
  const keys = await vault.of(customerId);
  let opened = 0;
  for (let after = BEFORE_ALL_IDS; ; ) {
    const page = await db.tenant([customerId], (tx) =>
      selectSubmissions(tx, customerId, formId).where('s.id', '>', after).orderBy('s.id').limit(PAGE).execute(),
    );
    for (const row of page) {
      opened += tryTo(() => open(keys, customerId, row), `submission ${row.id}`, onFault);
    }
    const last = page.at(-1);
    if (last === undefined) return opened;
    after = last.id;
  }
}

async function checkNotes({ db, vault }: Deps, customerId: number, onFault: (what: string) => void): Promise<number> {
  const keys = await vault.of(customerId);
  let opened = 0;
  for (let after = BEFORE_ALL_IDS; ; ) {
    const { rows } = await db.tenant([customerId], (tx) =>
      sql<{ id: string; submission_id: string; sealed: Buffer; key: Buffer }>`
        select n.id, n.submission_id, n.sealed, k.key from submission_notes n
        join submission_keys k on k.submission_id = n.submission_id and k.customer_id = n.customer_id
        where n.customer_id = ${customerId} and n.id > ${after} order by n.id limit ${PAGE}`.execute(tx),
    );
    for (const { id, submission_id, sealed, key } of rows) {
      const place = { table: 'submission_notes', row: id, column: 'sealed' };
      const openNote = () => openBeside(keys, { customerId, id: submission_id, key }, place, sealed);
      opened += tryTo(openNote, `note ${id}`, onFault);
    }
    const last = rows.at(-1);
    if (last === undefined) return opened;
    after = last.id;
  }
}

function tryTo(work: () => unknown, what: string, onFault: (what: string) => void): number {
  try {
    work();
    return 1;
  } catch {
    onFault(`${what} cannot be opened`);
    return 0;
  }
}
