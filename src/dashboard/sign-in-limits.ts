import { AppError } from '../platform/errors.ts';
import type { Rate } from '../platform/http/limits/rate-limits.ts';
import type { DashboardDeps } from './deps.ts';
import { knownDevice } from './known-device.ts';

const QUARTER = 15 * 60;
const HOUR = 60 * 60;

/** Wrong passwords from one network for one address, from one network for any, and for one address from anywhere. */
const PAIR: Rate = { count: 10, windowSeconds: QUARTER };
const NETWORK: Rate = { count: 100, windowSeconds: QUARTER };
const ACCOUNT: Rate = { count: 50, windowSeconds: HOUR };
const DEVICE: Rate = { count: 10, windowSeconds: QUARTER };
/** Wrong second factors of one person, who has shown the password before. */
const FACTOR: Rate = { count: 20, windowSeconds: HOUR };

type Limits = Pick<DashboardDeps, 'rateLimits' | 'installationKeys' | 'pseudonymOf' | 'publicUrl'>;

/** An attempt that was counted; whoever was right takes it back. */
export interface Attempt {
  forgive(): void;
}

/** What is typed as an address, and whose it is: however somebody is written, they are counted as one. */
interface Addressed {
  email: string;
  userId: string | null;
}

/**
 * Counts an attempt to sign in, and refuses those that come too often. Whether an address is known makes no difference.
 * A browser in which its owner has signed in before counts for itself alone: however many strangers guess, they cannot
 * keep the owner out there.
 */
export function countSignIn(
  deps: Limits,
  { email, userId, ip, cookies }: Addressed & { ip: string; cookies: string | undefined },
): Attempt {
  const account = accountOf(deps, { email, userId });
  const network = deps.pseudonymOf(ip);
  const device = knownDevice(deps, cookies, email);
  return count(
    deps,
    device === null
      ? [
          [`sign-in ${account} ${network}`, PAIR],
          [`sign-in ${network}`, NETWORK],
          [`sign-in ${account}`, ACCOUNT],
        ]
      : [[`sign-in device ${device}`, DEVICE]],
  );
}

/** Counts a second factor that is shown, and refuses where a person was wrong too often. */
export function countFactor(deps: Pick<Limits, 'rateLimits'>, userId: string): Attempt {
  return count(deps, [[`factor ${userId}`, FACTOR]]);
}

/** Counts a mail that is asked for; one network gets few, and so does one address. */
export function countResetMail(deps: Limits, { ip, ...addressed }: Addressed & { ip: string }): void {
  const account = accountOf(deps, addressed);
  count(deps, [[`reset ${deps.pseudonymOf(ip)}`, { count: 20, windowSeconds: HOUR }]]);
  count(deps, [[`reset ${account}`, { count: 5, windowSeconds: HOUR }]]);
}

/** Counts a code that somebody has mailed to an address of their own: no stranger uses these up. */
export function countAddressMail(deps: Pick<Limits, 'rateLimits'>, userId: string): void {
  count(deps, [[`address ${userId}`, { count: 5, windowSeconds: HOUR }]]);
}

function accountOf({ installationKeys }: Limits, { email, userId }: Addressed): string {
  return installationKeys.blindIndex('sign-in account', userId ?? email.toLowerCase()).toString('base64url');
}

function count({ rateLimits }: Pick<Limits, 'rateLimits'>, subjects: [string, Rate][]): Attempt {
  const verdicts = subjects.map(([subject, rate]) => rateLimits.take(subject, rate));
  const refused = verdicts.filter(({ allowed }) => !allowed);
  if (refused.length > 0) {
    const retryAfterSeconds = Math.max(...refused.map(({ resetSeconds }) => resetSeconds));
    throw new AppError('rate_limited', 'Too many attempts. Wait a while before the next one', { retryAfterSeconds });
  }
  return {
    forgive() {
      for (const [subject, rate] of subjects) rateLimits.giveBack(subject, rate);
    },
  };
}
