import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { recordAct } from '../../audit/record.ts';
import { INSTALLATION } from '../../audit/signing-key.ts';
import { takeBreakGlassCode } from './codes.ts';
import { findGrantCustomer, type Grant, readGrant, stateOf } from './grant.ts';
import { tellOfGrant } from './tell.ts';
import '../tables.ts';

/** Who opens: a second operator, somebody of the customer, or whoever asked with a code from the safe. */
export type Opening =
  | { kind: 'operator' | 'customer'; userId: string }
  | { kind: 'code'; userId: string; code: string; keys: CustomerVault };

/** A grant, and whose data it opens: no other customer's is seen while it is changed. */
export interface WhichGrant {
  customerId: number;
  grantId: string;
}

interface Deps {
  db: Database;
  clock: Clock;
}

/** Opens what was asked for, once, for as long as was asked. */
export async function openAccess(
  { db, clock }: Deps,
  act: Act,
  { customerId, grantId }: WhichGrant,
  by: Opening,
): Promise<Grant> {
  const opened = await db.tenant([INSTALLATION, customerId], async (tx) => {
    const grant = await holdGrant(tx, { customerId, grantId });
    requireMayOpen(grant, by, clock.now());
    if (by.kind === 'code' && !(await takeBreakGlassCode(tx, { clock, keys: by.keys }, { code: by.code, grantId }))) {
      await recordAct(
        tx,
        clock,
        { ...act, customerId: INSTALLATION, action: 'break-glass.code-refused' },
        { target: grantId },
      );
      return null;
    }
    await writeOpened(tx, clock, grant, by);
    const trace = { target: grantId, details: { by: by.kind, minutes: grant.minutes, operator: grant.operatorId } };
    await recordAct(tx, clock, { ...act, customerId: INSTALLATION }, trace);
    await recordAct(tx, clock, { ...act, customerId }, trace);
    await tellOfGrant(tx, { customerId, grantId, what: 'opened' });
    return readGrant(tx, grantId);
  });
  if (opened === null) throw invalidField('code', 'is not one of those that are left');
  return opened;
}

/** Whose a grant is, or 404. */
export async function requireGrantCustomer(db: Database, grantId: string): Promise<number> {
  const customerId = await findGrantCustomer(db, grantId);
  if (customerId === null) throw new AppError('not_found', 'No such emergency access');
  return customerId;
}

/** A grant that nobody else changes until the transaction is over. */
export async function holdGrant(tx: Tx, { customerId, grantId }: WhichGrant): Promise<Grant> {
  await tx
    .selectFrom('break_glass_grants')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', grantId)
    .forUpdate()
    .execute();
  const grant = await readGrant(tx, grantId);
  if (grant === null) throw new AppError('not_found', 'No such emergency access');
  return grant;
}

function requireMayOpen(grant: Grant, by: Opening, now: Date): void {
  const isOwn = by.userId === grant.operatorId;
  if (by.kind === 'operator' && isOwn) throw new AppError('forbidden', 'A second person opens it, or a code does');
  if (by.kind === 'code' && !isOwn) throw new AppError('forbidden', 'A code is for whoever asked');
  if (stateOf(grant, now) !== 'asked') throw new AppError('conflict', 'It is open already, or over');
}

async function writeOpened(tx: Tx, clock: Clock, grant: Grant, by: Opening): Promise<void> {
  const now = clock.now();
  await tx
    .updateTable('break_glass_grants')
    .set({
      opened_at: now,
      opened_by_kind: by.kind,
      opened_by: by.userId,
      expires_at: new Date(now.getTime() + grant.minutes * 60_000),
    })
    .where('customer_id', '=', grant.customerId)
    .where('id', '=', grant.id)
    .execute();
}
