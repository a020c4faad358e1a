import { type Challenge, createChallenge, type Payload, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Clock } from '../../platform/clock.ts';
import { createExpiringMap } from '../../platform/expiring-map.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';

/** About a second of an old phone: 256 tries on average, of which one takes a server two milliseconds. */
const COST = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyPrefix: '00' };
const LASTS_MS = 4 * 3_600_000;
const MOST_USED = 100_000;
const LONGEST = 4_096;

export interface ProofOfWork {
  /** What a browser has to work on before it sends a form. */
  challenge(formId: string): Promise<Challenge>;
  /** Whether the work was done for this form, and not sent before. */
  verify(formId: string, proof: string): Promise<boolean>;
}

/**
 * Self-hosted proof of work. Which proofs were used is kept in the memory of each node: a proof is a price and no lock,
 * so that it is worth little to send one again to another node or after a restart.
 */
export function createProofOfWork({
  installationKeys,
  clock,
}: {
  installationKeys: CustomerVault;
  clock: Clock;
}): ProofOfWork {
  const used = createExpiringMap<true>(clock, MOST_USED);
  const secretOf = (formId: string) => installationKeys.blindIndex('proof of work', formId).toString('hex');

  return {
    challenge: (formId) =>
      createChallenge({
        ...COST,
        deriveKey,
        hmacSignatureSecret: secretOf(formId),
        data: { until: clock.now().getTime() + LASTS_MS },
      }),
    async verify(formId, proof) {
      const payload = readPayload(proof);
      if (payload === null) return false;
      const { challenge, solution } = payload;
      const { signature = '' } = challenge;
      try {
        const hmacSignatureSecret = secretOf(formId);
        const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret });
        const left = Number(challenge.parameters.data?.until) - clock.now().getTime();
        if (!verified || !(left > 0) || used.get(signature) === true) return false;
        used.set(signature, true, left);
        return true;
      } catch {
        return false; // made up in a way that the library does not foresee
      }
    },
  };
}

function readPayload(proof: string): Payload | null {
  if (proof.length > LONGEST) return null;
  try {
    const payload = JSON.parse(Buffer.from(proof, 'base64').toString()) as Payload | null;
    return typeof payload?.challenge?.parameters === 'object' && typeof payload.solution === 'object' ? payload : null;
  } catch {
    return null;
  }
}
