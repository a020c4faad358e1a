import type { Challenge, Solution } from 'altcha-lib';
import { hiddenControl } from './elements.ts';
import type { FormPage } from './page-data.ts';

/** The name of the worker's file; the build puts it here. */
declare const PROOF_WORKER: string;

/** Works out the proof of work from the first touch of the last step on, so that it is ready when the form is sent. */
export function prepareProof(page: FormPage): void {
  const { form, data } = page;
  const { proofUrl } = data;
  if (proofUrl === null || form.querySelector('[name=_go][value=submit]') === null) return;
  const control = hiddenControl(form, '_proof');
  let making: Promise<void> | undefined;
  const prepare = async (): Promise<void> => {
    if (control.value !== '') return;
    making ??= fill(control, proofUrl).finally(() => {
      making = undefined;
    });
    await making;
  };
  control.value = '';
  page.waits.add(async (go) => {
    if (go === 'submit') await prepare();
    return true;
  });
  for (const event of ['pointerdown', 'keydown', 'focusin']) {
    form.addEventListener(event, () => void prepare(), { once: true });
  }
  // A proof counts once: who comes back to the page needs another.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) control.value = '';
  });
}

/** What becomes of a form without proof is for the server to say. */
async function fill(control: HTMLInputElement, proofUrl: string): Promise<void> {
  control.value = await prove(proofUrl).catch(() => '');
}

async function prove(proofUrl: string): Promise<string> {
  const response = await fetch(proofUrl, { credentials: 'same-origin' });
  const challenge = (await response.json()) as Challenge;
  const solution = await solveApart(challenge).catch(async () =>
    (await import('./solve-proof.ts')).solveProof(challenge),
  );
  return solution === null ? '' : btoa(JSON.stringify({ challenge, solution }));
}

function solveApart(challenge: Challenge): Promise<Solution | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(PROOF_WORKER, import.meta.url), { type: 'module' });
    const end = (): void => worker.terminate();
    worker.addEventListener('error', (event) => {
      end();
      reject(new Error(event.message));
    });
    worker.addEventListener('message', ({ data }: MessageEvent<Solution | null>) => {
      end();
      resolve(data);
    });
    worker.postMessage(challenge, []);
  });
}
