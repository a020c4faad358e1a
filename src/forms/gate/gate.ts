import { isPassword } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { RateLimits } from '../../platform/http/limits/rate-limits.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import type { Answers } from '../model/form-model.ts';
import { findLink } from './links.ts';
import { isPass } from './password-pass.ts';
import type { Passage } from './places.ts';
import { GateRefusal } from './refusal.ts';
import '../tables.ts';

/** What somebody shows at the gate of a form. */
export interface Shown {
  /** The network they come from, by the name that may be stored. */
  network: string;
  password: string | null;
  /** What the page got for the password. */
  pass: string | null;
  link: string | null;
}

/** What lets a submission through, and what a link had filled in already. */
export interface Admission extends Passage {
  answers: Answers;
}

export interface GateDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  rateLimits: RateLimits;
  installationKeys: CustomerVault;
}

const PASSWORD_TRIES = { count: 10, windowSeconds: 900 };

/** Lets somebody in to a form, or throws why not. Whether there is room is settled when a submission is written. */
export async function checkGate(deps: GateDeps, form: PublicForm, shown: Shown): Promise<Admission> {
  const { closesAt, mostSubmissions: most, singleUse } = form.page;
  if (closesAt !== null && closesAt <= deps.clock.now()) throw new GateRefusal('closed');
  const link = shown.link === null ? null : await findLink(deps, form, shown.link);
  if (link === null && (singleUse || shown.link !== null)) throw new GateRefusal('link');
  await checkPassword(deps, form, shown);
  return { most, linkId: link?.id ?? null, answers: link?.answers ?? {} };
}

/** Whether a form has taken all that it takes, for those who have not begun yet. */
export async function isFull({ db }: { db: Database }, form: PublicForm): Promise<boolean> {
  const { id, customerId, page } = form;
  if (page.mostSubmissions === null) return false;
  const row = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('form_counts')
      .select('submission_count')
      .where('customer_id', '=', customerId)
      .where('form_id', '=', id)
      .executeTakeFirst(),
  );
  return (row?.submission_count ?? 0) >= page.mostSubmissions;
}

async function checkPassword(deps: GateDeps, form: PublicForm, { network, password, pass }: Shown): Promise<void> {
  const { passwordHash } = form.page;
  if (passwordHash === null || (pass !== null && isPass(deps, form, pass))) return;
  if (password === null || password === '') throw new GateRefusal('password');
  // Counted first, so that many at once are not more than many in turn; a right one counts for nothing.
  const tries = `form-password/${form.id}/${network}`;
  const { allowed, resetSeconds } = deps.rateLimits.take(tries, PASSWORD_TRIES);
  if (!allowed) throw new GateRefusal('tries', resetSeconds);
  if (!(await isPassword(passwordHash, password))) throw new GateRefusal('password');
  deps.rateLimits.giveBack(tries, PASSWORD_TRIES);
}
