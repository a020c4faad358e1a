import type { Clock } from '../../platform/clock.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import { readStampedTime, stampTime } from './stamped-time.ts';

const LASTS_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;

interface Deps {
  installationKeys: CustomerVault;
  clock: Clock;
}

/** What a page carries instead of the password once it was right: an hour's pass to this form and this password. */
export function issuePass({ installationKeys, clock }: Deps, form: PublicForm): string {
  return stampTime(installationKeys, useOf(form), new Date(clock.now().getTime() + LASTS_MS));
}

/** Whether a pass still opens a form; a new password ends all passes. */
export function isPass({ installationKeys, clock }: Deps, form: PublicForm, pass: string): boolean {
  const until = readStampedTime(installationKeys, useOf(form), pass);
  return until !== null && until > clock.now();
}

/** A new pass for one that opened a form within a day, where its password is still the same; null for any other. */
export function renewPass(deps: Deps, form: PublicForm, pass: string | null): string | null {
  const until = pass === null ? null : readStampedTime(deps.installationKeys, useOf(form), pass);
  return until !== null && until.getTime() > deps.clock.now().getTime() - DAY_MS ? issuePass(deps, form) : null;
}

function useOf({ id, page }: PublicForm): string {
  return `password of ${id} ${page.passwordHash}`;
}
