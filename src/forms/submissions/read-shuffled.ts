import { randomInt } from 'node:crypto';
import type { Database, Tx } from '../../platform/db/database.ts';
import { givingWay } from '../../platform/giving-way.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { PAGE_ROWS, selectSizes, withinBytes } from './page-size.ts';
import { open, type Submission, selectSubmissions } from './submission.ts';
import '../tables.ts';

const ID_BYTES = 16;
const IDS_AT_ONCE = 10_000;

interface OfForm {
  customerId: number;
  formId: string;
  /** Only those that came before this id was made. */
  before?: string;
}

/** All submissions of a form in no order, so that none can be told from its place. */
export async function* readShuffled(
  { db }: { db: Database },
  keys: CustomerVault,
  { customerId, formId, ...some }: OfForm,
): AsyncGenerator<Submission> {
  const ids = shuffleIds(await listIds(db, { customerId, formId, ...some }));
  for (let at = 0; at < ids.length; ) {
    const next = idsIn(ids.subarray(at, at + PAGE_ROWS * ID_BYTES));
    const { rows, read } = await db.tenant([customerId], (tx) => readThese(tx, { customerId, formId }, next));
    at += read * ID_BYTES;
    for await (const row of givingWay(rows)) yield open(keys, customerId, row);
  }
}

/** Some submissions in the order that is given, read page by page in transactions of their own. */
export async function* readInOrder(
  { db }: { db: Database },
  keys: CustomerVault,
  of: OfForm,
  ids: string[],
): AsyncGenerator<Submission> {
  for (let at = 0; at < ids.length; ) {
    const next = ids.slice(at);
    const { rows, read } = await db.tenant([of.customerId], (tx) => readThese(tx, of, next));
    at += read;
    for await (const row of givingWay(rows)) yield open(keys, of.customerId, row);
  }
}

/** The first of some submissions in their order, as many as a page takes; those that are gone by now are passed over. */
async function readThese(tx: Tx, { customerId, formId }: OfForm, ids: string[]) {
  const sizes = await selectSizes(tx, customerId, formId).where('s.id', 'in', ids).execute();
  const sizeOf = new Map(sizes.map(({ id, size }) => [id, size]));
  const fitting = withinBytes(ids.map((id) => ({ id, size: sizeOf.get(id) ?? 0 })));
  const rows = await selectSubmissions(tx, customerId, formId).where('s.id', 'in', fitting).execute();
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return { read: fitting.length, rows: fitting.flatMap((id) => rowOf.get(id) ?? []) };
}

/** The ids one after the other, 16 bytes each: a million of them must fit into memory. */
async function listIds(db: Database, { customerId, formId, before }: OfForm): Promise<Buffer> {
  const pages: Buffer[] = [];
  for (let after: string | null = null; ; ) {
    const rows: { id: string }[] = await db.tenant([customerId], (tx) => {
      const all = tx
        .selectFrom('submissions')
        .select('id')
        .where('customer_id', '=', customerId)
        .where('form_id', '=', formId)
        .orderBy('id')
        .limit(IDS_AT_ONCE);
      const page = before === undefined ? all : all.where('id', '<', before);
      return (after === null ? page : page.where('id', '>', after)).execute();
    });
    if (rows.length === 0) return Buffer.concat(pages);
    after = rows.at(-1)?.id ?? null;
    pages.push(Buffer.from(rows.map(({ id }) => id.replaceAll('-', '')).join(''), 'hex'));
  }
}

/** Puts ids in any order, each as likely as all others (Fisher and Yates). */
export function shuffleIds(ids: Buffer): Buffer {
  const held = Buffer.alloc(ID_BYTES);
  for (let last = ids.length / ID_BYTES - 1; last > 0; last -= 1) {
    const [one, other] = [last * ID_BYTES, randomInt(last + 1) * ID_BYTES];
    ids.copy(held, 0, one, one + ID_BYTES);
    ids.copy(ids, one, other, other + ID_BYTES);
    held.copy(ids, other);
  }
  return ids;
}

function idsIn(bytes: Buffer): string[] {
  return Array.from({ length: bytes.length / ID_BYTES }, (_, at) =>
    bytes.toString('hex', at * ID_BYTES, (at + 1) * ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  );
}
