import type { Counter } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import type { ProofOfWork } from './proof-of-work.ts';

/** What makes a visitor look like a program. */
export type Suspicion = 'honeypot' | 'too_fast' | 'proof_missing' | 'proof_invalid';

export interface SuspicionDeps {
  clock: Clock;
  proofOfWork: ProofOfWork;
  suspicions: Counter<'reason'>;
}

const QUICKEST_MS = 3_000;

/** What a page was sent with that people do not see, and programs fill in or leave out. */
export interface Traps {
  honeypot: string;
  shown: Date;
}

/** Whether somebody behaves like a program that fills in forms, where the form cares. Each time it is counted. */
export function suspectVisitor(
  { clock, suspicions }: SuspicionDeps,
  form: PublicForm,
  { honeypot, shown }: Traps,
): Suspicion | null {
  if (form.page.traps === 'off') return null;
  const isQuick = clock.now().getTime() - shown.getTime() < QUICKEST_MS;
  const found = honeypot !== '' ? 'honeypot' : isQuick ? 'too_fast' : null;
  if (found !== null) suspicions.inc({ reason: found });
  return found;
}

/** What is wrong with the proof of work, where the form asks for one at all. Each time it is counted. */
export async function suspectProof(
  { proofOfWork, suspicions }: SuspicionDeps,
  form: PublicForm,
  proof: string | null,
): Promise<Suspicion | null> {
  if (form.page.proofOfWork === 'off') return null;
  const isMissing = proof === null || proof === '';
  if (!isMissing && (await proofOfWork.verify(form.id, proof))) return null;
  const found = isMissing ? 'proof_missing' : 'proof_invalid';
  suspicions.inc({ reason: found });
  return found;
}
