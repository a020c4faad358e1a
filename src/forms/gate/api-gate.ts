import { invalidField } from '../../platform/errors.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import { isRecord } from '../model/normalise.ts';
import { checkGate, type GateDeps } from './gate.ts';
import type { Passage } from './places.ts';
import { GateRefusal } from './refusal.ts';
import { type SuspicionDeps, suspectProof } from './suspicion.ts';

export interface ApiGateDeps extends GateDeps, SuspicionDeps {
  /** Turns a network address into something that may be stored. */
  pseudonymOf(address: string): string;
}

/** Lets a submission through that comes by the API, or throws why not. */
export async function passGate(
  deps: ApiGateDeps,
  form: PublicForm,
  body: Readonly<Record<string, unknown>>,
  ip: string,
): Promise<Passage> {
  const { password, link, proof } = readGate(body.gate);
  if (form.page.sealedTo.length > 0 && (body.sealed ?? null) === null) throw new GateRefusal('sealed');
  const shown = { network: deps.pseudonymOf(ip), password, pass: null, link };
  const { most, linkId } = await checkGate(deps, form, shown);
  const suspicion = await suspectProof(deps, form, proof);
  if (suspicion !== null && form.page.proofOfWork === 'enforce') throw new GateRefusal('proof');
  return { most, linkId };
}

function readGate(gate: unknown) {
  if (gate !== undefined && gate !== null && !isRecord(gate)) throw invalidField('gate', 'must be an object');
  const given = isRecord(gate) ? gate : {};
  return { password: readText(given, 'password'), link: readText(given, 'link'), proof: readText(given, 'proof') };
}

function readText(gate: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = gate[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw invalidField(`gate.${name}`, 'must be a string');
  return value;
}
