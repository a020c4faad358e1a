import type { Challenge } from 'altcha-lib';
import { solveProof } from './solve-proof.ts';

/** Works out a proof off the main thread: a challenge comes in, the solution goes back. */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  solveProof(data)
    .then((solution) => postMessage(solution))
    .catch(() => postMessage(null));
});
