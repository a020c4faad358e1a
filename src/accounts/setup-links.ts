import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { hashSecret, newSecret } from '../platform/secret.ts';
import type { Who } from './sessions/begin-session.ts';
import type { LinkKind } from './tables.ts';

const HOUR_MS = 3600_000;
/** How long a link of each kind works. */
const LASTS_MS: Record<LinkKind, number> = { invitation: 7 * 24 * HOUR_MS, reset: HOUR_MS };

interface FoundLink {
  customer_id: number;
  user_id: string;
  kind: LinkKind;
  expires_at: Date;
  used_at: Date | null;
}

/** Makes a link by which somebody sets a password once; returns its token, and any link before is spent. */
export async function makeSetupLink(tx: Tx, clock: Clock, who: Who, kind: LinkKind): Promise<string> {
  const token = newSecret();
  const now = clock.now();
  await spendSetupLinks(tx, clock, who);
  await tx
    .insertInto('user_setup_links')
    .values({
      token_hash: hashSecret(token) as Buffer,
      customer_id: who.customerId,
      user_id: who.userId,
      kind,
      created_at: now,
      expires_at: new Date(now.getTime() + LASTS_MS[kind]),
      used_at: null,
    })
    .execute();
  return token;
}

/** Makes every link of a person useless. */
export async function spendSetupLinks(tx: Tx, clock: Clock, who: Who): Promise<void> {
  await tx
    .updateTable('user_setup_links')
    .set({ used_at: clock.now() })
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .where('used_at', 'is', null)
    .execute();
}

/** Whose a link is; throws where it is unknown, of another kind, used or over. */
export async function findSetupLink(
  { db, clock }: { db: Database; clock: Clock },
  token: string,
  kind: LinkKind,
): Promise<Who> {
  const hash = hashSecret(token);
  if (hash === null) throw spentLink();
  const { rows } = await db.untenanted((tx) => sql<FoundLink>`select * from find_setup_link(${hash})`.execute(tx));
  const [link] = rows;
  if (link === undefined || link.kind !== kind || link.used_at !== null || link.expires_at <= clock.now()) {
    throw spentLink();
  }
  return { customerId: link.customer_id, userId: link.user_id };
}

/** Uses a link up; throws where somebody else was faster. */
export async function useSetupLink(tx: Tx, clock: Clock, { customerId }: Who, token: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('user_setup_links')
    .set({ used_at: clock.now() })
    .where('customer_id', '=', customerId)
    .where('token_hash', '=', hashSecret(token))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw spentLink();
}

function spentLink(): AppError {
  return new AppError('not_found', 'The link is not valid any more. Ask for a new one');
}
