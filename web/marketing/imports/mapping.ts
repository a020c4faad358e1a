import { words } from '../../words/imports.ts';
import type { CsvHead } from './csv-head.ts';

/** What a column is taken for: something that everybody has, a field by its name, or null where it is left out. */
export type Target = string | null;

export const PERSON = Object.keys(words.targets) as (keyof typeof words.targets)[];

/** Usual names of columns, with nothing but letters in them. */
const USUAL: Record<(typeof PERSON)[number], string> = {
  email: 'email mail emailaddress primaryemail contactemail emailadresse courriel correo correoelectronico',
  phone_number: 'phone phonenumber mobile mobilephone cell cellphone telephone tel telefon telefono',
  first_name: 'firstname first givenname forename vorname prenom nombre nome',
  last_name: 'lastname last surname familyname nachname nom apellido apellidos cognome',
  time_zone: 'timezone tz zeitzone',
  unsubscribed: 'unsubscribed unsubscribedat',
};
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PHONE_NUMBER = /^\+[\d\s().-]{7,20}$/;

/** What each column of a file seems to hold. */
export function guessTargets({ rows, hasHeader }: CsvHead): Target[] {
  const [first = [], second = []] = rows;
  const taken = new Set<Target>();
  const take = (target: Target) => {
    if (target !== null && taken.has(target)) return null;
    taken.add(target);
    return target;
  };
  if (!hasHeader) return first.map((cell) => take(looksLike(cell)));
  return first.map((name, at) =>
    take(meantBy(name) ?? (name.trim() === '' ? looksLike(second[at] ?? '') : name.trim())),
  );
}

function meantBy(name: string): Target {
  const letters = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return PERSON.find((person) => USUAL[person].split(' ').includes(letters)) ?? null;
}

function looksLike(cell: string): Target {
  if (ADDRESS.test(cell.trim())) return 'email';
  return PHONE_NUMBER.test(cell.trim()) ? 'phone_number' : null;
}

/** What is wrong with the choice of columns, in words; null where it can be imported. */
export function problemOf(targets: readonly Target[]): string | null {
  const chosen = targets.filter((target) => target !== null);
  const twice = chosen.find((target, at) => chosen.indexOf(target) < at);
  if (twice !== undefined) return words.twice(labelOf(twice));
  return chosen.some((target) => target === 'email' || target === 'phone_number') ? null : words.noKey;
}

/** How a target is called. */
export function labelOf(target: string): string {
  return PERSON.find((person) => person === target) === undefined
    ? target
    : words.targets[target as (typeof PERSON)[number]];
}

/** The choice of columns as the product takes it: by their index, since names may be there twice. */
export function mappingOf(targets: readonly Target[]): string {
  return JSON.stringify(Object.fromEntries(targets.entries()));
}
