import type { Clock } from '../../platform/clock.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { readStampedTime, stampTime } from '../gate/stamped-time.ts';
import type { InvitedSigner } from './find-signer.ts';

const LASTS_MS = 3_600_000;

interface Deps {
  installationKeys: CustomerVault;
  clock: Clock;
}

/** What a page carries once the code was right: an hour's pass to what this signer reads and signs. */
export function issuePass({ installationKeys, clock }: Deps, signer: InvitedSigner): string {
  return stampTime(installationKeys, useOf(signer), new Date(clock.now().getTime() + LASTS_MS));
}

/** Whether a pass still opens what a link leads to; another link ends all passes of the one before. */
export function isPass({ installationKeys, clock }: Deps, signer: InvitedSigner, pass: string): boolean {
  const until = readStampedTime(installationKeys, useOf(signer), pass);
  return until !== null && until > clock.now();
}

function useOf({ id, tokenHash }: InvitedSigner): string {
  return `signer ${id} ${tokenHash.toString('hex')}`;
}
