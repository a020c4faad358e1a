import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { checkpointLines } from './checkpoint-lines.ts';
import type { SigningKey } from './signing-key.ts';

/** A line names every chain that has grown: on a busy installation that alone is thousands. */
const MOST_HEADS = 5_000;

interface Deps {
  db: Database;
  signingKey: SigningKey;
  checkpointFile: string;
}

/** Where a chain is not what signed checkpoints say it was. */
export interface Broken {
  /** The first link that is another one. */
  differsAt: number | null;
  /** The last link that is not there. */
  knownUpTo: number;
}

export interface Promises {
  checkpoints: number;
  /** How many lines nobody of this installation has signed. */
  unsigned: number;
  /** Every customer of whom something was signed, also what is gone by now. */
  promised: Set<number>;
  /** By customer; who is not named here has kept every promise. */
  broken: Map<number, Broken>;
}

/** Compares the chains as they stand, of all customers or of one, with what was signed of them, a few thousand heads at a time. */
export async function comparePromises(
  { db, signingKey, checkpointFile }: Deps,
  customerId: number | null,
): Promise<Promises> {
  const found: Promises = { checkpoints: 0, unsigned: 0, promised: new Set(), broken: new Map() };
  let heads: Checkpoint['heads'] = [];
  const compare = async () => {
    for (const link of await brokenAmong(db, heads)) noteBroken(found.broken, link);
    heads = [];
  };
  for await (const line of checkpointLines(db, checkpointFile)) {
    const checkpoint = readCheckpoint(signingKey, line);
    if (checkpoint === null) {
      found.unsigned += 1;
      continue;
    }
    found.checkpoints += 1;
    for (const head of checkpoint.heads) {
      if (customerId !== null && head.customer !== customerId) continue;
      found.promised.add(head.customer);
      if (heads.push(head) === MOST_HEADS) await compare();
    }
  }
  await compare();
  return found;
}

interface BrokenLink {
  customer: number;
  seq: number;
  is_there: boolean;
}

/** Links before the cut of a chain are gone for a reason, if the cut is signed; the last of them stands in the cut itself. */
async function brokenAmong(db: Database, heads: Checkpoint['heads']): Promise<BrokenLink[]> {
  if (heads.length === 0) return [];
  const { rows } = await db.untenanted((tx) =>
    sql<BrokenLink>`
      select p.customer, p.seq, l.hash is not null as is_there
      from json_to_recordset(${JSON.stringify(heads)}::json) as p (customer int, seq bigint, hash text)
      left join audit_cuts k on k.customer_id = p.customer
      left join audit_chain c on c.customer_id = p.customer and c.seq = p.seq
      cross join lateral (select case when p.seq = k.seq then k.hash else c.hash end as hash) l
      where p.seq >= coalesce(k.seq, 0) and l.hash is distinct from decode(p.hash, 'hex')`.execute(tx),
  );
  return rows;
}

function noteBroken(broken: Map<number, Broken>, { customer, seq, is_there: isThere }: BrokenLink): void {
  const known = broken.get(customer) ?? { differsAt: null, knownUpTo: 0 };
  broken.set(
    customer,
    isThere
      ? { ...known, differsAt: Math.min(seq, known.differsAt ?? seq) }
      : { ...known, knownUpTo: Math.max(seq, known.knownUpTo) },
  );
}
