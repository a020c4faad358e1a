import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { recordAct } from './audit/record.ts';
import { hashPassword } from './passwords.ts';
import './tables.ts';

interface SetupLink {
  customer_id: number;
  user_id: string;
  expires_at: Date;
  used_at: Date | null;
}

/** Sets a user's first password by the link that was made with the user; the link works once. */
export async function setUpUser(
  { db, clock }: { db: Database; clock: Clock },
  { token, password, requestId }: { token: string; password: string; requestId: string },
): Promise<void> {
  const tokenHash = createHash('sha256').update(token).digest();
  const now = clock.now();
  const link = await findLink(db, tokenHash);
  const spent = new AppError('not_found', 'The setup link is not valid any more');
  if (link === null || link.used_at !== null || link.expires_at <= now) throw spent;
  const passwordHash = await hashPassword(password);
  const { customer_id: customerId, user_id: userId } = link;
  await db.tenant([customerId], async (tx) => {
    const used = await tx
      .updateTable('user_setup_links')
      .set({ used_at: now })
      .where('customer_id', '=', customerId)
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (used.numUpdatedRows === 0n) throw spent;
    await tx
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('customer_id', '=', customerId)
      .where('id', '=', userId)
      .execute();
    const act = { customerId, actor: { kind: 'user' as const, id: userId }, action: 'user.set-up', requestId };
    await recordAct(tx, clock, act, { target: userId });
  });
}

async function findLink(db: Database, tokenHash: Buffer): Promise<SetupLink | null> {
  const { rows } = await db.untenanted((tx) => sql<SetupLink>`select * from find_setup_link(${tokenHash})`.execute(tx));
  return rows[0] ?? null;
}
