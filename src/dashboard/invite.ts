import {
  createUser,
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
import { mailSetupLink, setupUrl } from './account-mail.ts';
import type { DashboardDeps } from './deps.ts';

/** Somebody who was invited. In the sandbox no mail leaves, so that the link is told instead. */
export interface Invited {
  id: string;
  setupUrl: string | null;
}

/** Makes somebody a user of a customer and mails them the way in; `requireMay` throws where whoever asks may not. */
export async function invite(
  deps: DashboardDeps,
  act: Act,
  wanted: { email: string; name: string; role: string },
  requireMay?: (tx: Tx) => Promise<unknown>,
): Promise<Invited> {
  const { id, setupToken: token } = await createUser(deps, act, wanted, requireMay);
  return send(deps, act, { id, email: wanted.email, token });
}

/** Mails somebody who has not come yet another way in; the one before is closed. `find` says who it is. */
export async function inviteAgain(
  deps: DashboardDeps,
  act: Act,
  find: (tx: Tx) => Promise<Pick<Member, 'id' | 'email'>>,
): Promise<Invited> {
  const { customerId } = act;
  const invited = await deps.db.tenant([customerId], async (tx) => {
    await requireOpen(tx, customerId);
    const { id, email } = await find(tx);
    await recordAct(tx, deps.clock, act, { target: id });
    return { id, email, token: await makeSetupLink(tx, deps.clock, { customerId, userId: id }, 'invitation') };
  });
  return send(deps, act, invited);
}

/** Throws where somebody who is there is known by an address already. */
export async function requireFreeAddress({ db }: DashboardDeps, field: string, email: string): Promise<void> {
  const known = await findUser(db, email);
  if (known === null || known.disabled_at !== null) return;
  throw new AppError('conflict', `${field}: is taken`, { fields: { [field]: ['is taken'] } });
}

async function send(
  deps: DashboardDeps,
  act: Act,
  { id, email, token }: { id: string; email: string; token: string },
): Promise<Invited> {
  const { customerId } = act;
  const name = await deps.db.tenant([customerId], (tx) => customerName(tx, customerId));
  await mailSetupLink(deps, act, { kind: 'invitation', email, customerName: name, token });
  return { id, setupUrl: deps.delivery === 'sandbox' ? setupUrl(deps, 'invitation', token) : null };
}
