import { X509Certificate } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';
import { DialFailed } from '../net/dial-failed.ts';
import type { CustomerVault } from '../vault/vault.ts';
import { type Account, forgetAccount, isAccountGone, openAccount } from './account.ts';
import { AcmeRefused } from './authority.ts';
import type { Challenges } from './challenges.ts';
import { keepIssued, noteFailure, takeOn, type Wanted } from './issued.ts';
import { type Issued, orderCertificate } from './order.ts';
import type { SendToAuthority } from './send.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Authorities count what they issue; a clock that is wrong must not use it up. */
const LEAST_BETWEEN_MS = 24 * HOUR_MS; // or a third of its life, where that is shorter
const LONGEST_WAIT_MS = 12 * HOUR_MS;

interface Deps {
  db: Database;
  keys(): Promise<CustomerVault>;
  clock: Clock;
  log: Log;
  send: SendToAuthority;
  challenges: Challenges;
  stopping: AbortSignal;
}

/** Asks for a certificate where one is due and no other node is at it; what is in use stays until there is a new one. */
export async function renewWhenDue(deps: Deps, wanted: Wanted, email: string): Promise<void> {
  const { clock, log, stopping } = deps;
  const taken = await takeOn(deps, wanted);
  if (taken === null) return;
  const failed = taken.failures;
  try {
    const account = await openAccount(deps, wanted.directory, email);
    const issued = await orderBy(account, deps, wanted.names);
    const renewAt = renewalOf(issued.cert, clock.now());
    const isKept = await keepIssued(deps, taken, issued, renewAt);
    if (isKept) log.info({ names: wanted.names, renewAt }, 'certificate issued');
    else log.warn({ names: wanted.names }, 'certificate issued too late: another node has taken this on');
  } catch (error) {
    if (stopping.aborted) return noteFailure(deps, taken, failed, clock.now());
    const nextAt = new Date(clock.now().getTime() + waitAfter(failed, error));
    const told = { err: error, reason: reasonOf(error), names: wanted.names, failures: failed + 1, nextAt };
    log.warn(told, 'no certificate issued');
    await noteFailure(deps, taken, failed + 1, nextAt);
  }
}

async function orderBy(
  account: Account,
  { db, log, challenges: { publish }, stopping }: Deps,
  names: readonly string[],
): Promise<Issued> {
  try {
    return await orderCertificate({ authority: account.authority, account, publish, stopping }, names);
  } catch (error) {
    if (await isAccountGone(account, error)) {
      await forgetAccount(db, account);
      log.warn({ account: account.url }, 'the authority no longer has the account: the next try makes another');
    }
    throw error;
  }
}

/** After two thirds of its life a certificate is replaced, so that a third is left for whatever is wrong. */
export function renewalOf(cert: string, now: Date): Date {
  const { validFromDate, validToDate } = new X509Certificate(cert);
  const life = validToDate.getTime() - validFromDate.getTime();
  const soonest = now.getTime() + Math.min(LEAST_BETWEEN_MS, life / 3);
  return new Date(Math.max(validFromDate.getTime() + (2 * life) / 3, soonest));
}

/** What the operator has to know: the log leaves out the words of errors, which may quote anything. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof AcmeRefused) return error.message;
  return error instanceof DialFailed ? error.reason : undefined;
}

function waitAfter(failures: number, error: unknown): number {
  const wanted = error instanceof AcmeRefused ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.min(Math.max(wanted, 2 ** (failures + 1) * MINUTE_MS), LONGEST_WAIT_MS);
}
