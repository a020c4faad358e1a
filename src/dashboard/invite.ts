import {
  createUserIn,
  customerName,
  findUser,
  type Member,
  makeSetupLink,
  recordAct,
  requireOpen,
} from '../accounts/index.ts';
import type { Act } from '../platform/act.ts';
import type { Tx } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { mailSetupLinkWithin, setupUrl } from './account-mail.ts';
import type { DashboardDeps } from './deps.ts';

/** Somebody who was invited. In the sandbox no mail leaves, so that the link is told instead. */
export interface Invited {
  id: string;
  setupUrl: string | null;
}

/** What goes with an invitation, in its transaction. */
interface Inviting {
  /** Throws where whoever asks may not do so any more. */
  requireMay(tx: Tx): Promise<unknown>;
  writeWith(tx: Tx, invited: Invited): Promise<void>;
}

/** Makes somebody a user of a customer and mails them the way in: both or neither. */
export async function invite(
  deps: DashboardDeps,
  act: Act,
  wanted: { email: string; name: string; role: string },
  { requireMay, writeWith }: Inviting,
): Promise<Invited> {
  const invited = await deps.db.tenant([act.customerId], async (tx) => {
    await requireOpen(tx, act.customerId);
    await requireMay(tx);
    return inviteWithin(tx, deps, act, wanted, writeWith);
  });
  deps.onAccepted();
  return invited;
}

/** The same in a transaction of whoever may, who wakes delivery once it is over. Nothing comes after it there. */
export async function inviteWithin(
  tx: Tx,
  deps: DashboardDeps,
  act: Act,
  wanted: { email: string; name: string; role: string },
  writeWith: Inviting['writeWith'],
): Promise<Invited> {
  const { id, setupToken: token } = await createUserIn(tx, deps.clock, act, wanted);
  return send(tx, deps, act, { id, email: wanted.email, token, writeWith });
}

/** Mails somebody who has not come yet another way in; the one before is closed. `find` says who it is. */
export async function inviteAgain(
  deps: DashboardDeps,
  act: Act,
  find: (tx: Tx) => Promise<Pick<Member, 'id' | 'email'>>,
  writeWith: Inviting['writeWith'],
): Promise<Invited> {
  const { customerId } = act;
  const invited = await deps.db.tenant([customerId], async (tx) => {
    await requireOpen(tx, customerId);
    const { id, email } = await find(tx);
    await recordAct(tx, deps.clock, act, { target: id });
    const token = await makeSetupLink(tx, deps.clock, { customerId, userId: id }, 'invitation');
    return send(tx, deps, act, { id, email, token, writeWith });
  });
  deps.onAccepted();
  return invited;
}

/** Throws where somebody who is there is known by an address already. */
export async function requireFreeAddress({ db }: DashboardDeps, field: string, email: string): Promise<void> {
  const known = await findUser(db, email);
  if (known === null || known.disabled_at !== null) return;
  throw new AppError('conflict', `${field}: is taken`, { fields: { [field]: ['is taken'] } });
}

interface Way extends Pick<Inviting, 'writeWith'> {
  id: string;
  email: string;
  token: string;
}

async function send(tx: Tx, deps: DashboardDeps, act: Act, { id, email, token, writeWith }: Way): Promise<Invited> {
  const invited = { id, setupUrl: deps.delivery === 'sandbox' ? setupUrl(deps, 'invitation', token) : null };
  const name = await customerName(tx, act.customerId);
  await writeWith(tx, invited);
  await mailSetupLinkWithin(tx, deps, act, { kind: 'invitation', email, customerName: name, token });
  return invited;
}
