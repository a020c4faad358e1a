import { invalidField } from '../../../platform/errors.ts';
import { isStorable } from '../../../platform/http/body/json-body.ts';
import { canonicalUuid, isUuid } from '../../../platform/ids.ts';

/** An object as it was sent. What is null counts as absent, and what nobody asks for is ignored. */
export type Fields = Partial<Record<string, unknown>>;

export function readFields(place: string, wire: unknown): Fields {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) throw invalidField(place, 'takes an object');
  return wire;
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Which one of these names is given; none or several are refused. */
export function readOnly<Name extends string>(place: string, fields: Fields, names: readonly Name[]): Name {
  const [found, ...others] = names.filter((name) => isGiven(fields[name]));
  if (found === undefined || others.length > 0) throw invalidField(place, `takes exactly one of ${names.join(', ')}`);
  return found;
}

export function readText(place: string, wire: unknown, longest: number): string {
  if (typeof wire !== 'string' || wire.length > longest || !isStorable(wire)) {
    throw invalidField(place, `takes text of at most ${longest} characters`);
  }
  return wire;
}

/** A text that says something, without the space around it. */
export function readFilled(place: string, wire: unknown, longest: number): string {
  const text = typeof wire === 'string' ? wire.trim() : '';
  if (text === '') throw invalidField(place, `takes 1 to ${longest} characters`);
  return readText(place, text, longest);
}

/** A text, or what is written as one: a number, true or false. */
export function readScalar(place: string, wire: unknown, longest: number): string {
  return readText(place, typeof wire === 'number' || typeof wire === 'boolean' ? String(wire) : wire, longest);
}

/** The id of something that is numbered, such as a mailing or a list. */
export function readNumbered(place: string, wire: unknown): string {
  const id = typeof wire === 'number' ? String(wire) : wire;
  if (typeof id !== 'string' || !/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id))) {
    throw invalidField(place, 'takes an id, a positive whole number');
  }
  return id;
}

/** The id of a form or of a segment. */
export function readUuid(place: string, wire: unknown): string {
  if (typeof wire !== 'string' || !isUuid(wire)) throw invalidField(place, 'takes a UUID');
  return canonicalUuid(wire);
}

/** The id of a step, as whoever draws the drip chooses it. */
export function readStepId(place: string, wire: unknown): string {
  const id = typeof wire === 'number' ? String(wire) : wire;
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) {
    throw invalidField(place, 'takes 1 to 64 letters, digits, - and _');
  }
  return id;
}
