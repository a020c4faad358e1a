import { type Challenge, type Solution, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/** Works out what a challenge asks for, in slices that leave room for whatever else is going on. */
export async function solveProof(challenge: Challenge): Promise<Solution | null> {
  return solveChallenge({ challenge, deriveKey });
}
