import type { PublicForm } from '../../definition/public-forms.ts';
import { checkGate, type GateDeps, isFull } from '../../gate/gate.ts';
import { renewPass } from '../../gate/password-pass.ts';
import { GateRefusal } from '../../gate/refusal.ts';
import type { ShownAtUpload } from './metadata.ts';

/** Lets a file come to a form, or throws why not: by what lets a submission come. */
export async function passGateWithFile(
  deps: GateDeps,
  form: PublicForm,
  { password, pass, link }: ShownAtUpload,
  network: string,
): Promise<void> {
  // Whoever fills in a page for long has its pass renewed with the next step, and goes on sending files until then.
  await checkGate(deps, form, { network, password, pass: renewPass(deps, form, pass), link });
  if (await isFull(deps, form)) throw new GateRefusal('full');
}
