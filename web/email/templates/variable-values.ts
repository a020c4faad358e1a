import { words } from '../../words/email/templates.ts';

/** A place that a template fills in: one value, or a list of them. */
export interface Place {
  name: string;
  isList: boolean;
  /** What to write where nothing is known yet. */
  example: string;
}

/** The places to ask for: a list is asked for as a whole, and what has parts by its parts. */
export function placesOf(variables: readonly string[]): Place[] {
  const lists = [
    ...new Set(variables.flatMap((name) => (name.includes('[]') ? [name.slice(0, name.indexOf('[]'))] : []))),
  ];
  const single = variables.filter(
    (name) => !name.includes('[]') && !lists.includes(name) && !variables.some((other) => other.startsWith(`${name}.`)),
  );
  return [
    ...single.map((name) => ({ name, isList: false, example: '' })),
    ...lists.map((name) => ({ name, isList: true, example: exampleOf(name, variables) })),
  ];
}

function exampleOf(list: string, variables: readonly string[]): string {
  const parts = variables.filter((name) => name.startsWith(`${list}[].`)).map((name) => name.slice(list.length + 3));
  const simple = parts.filter((part) => /^\w+$/.test(part));
  return JSON.stringify([simple.length === 0 ? '' : Object.fromEntries(simple.map((part) => [part, '']))]);
}

/** What is wrong with what was written for a place. */
export function placeProblem({ isList, example }: Place, text: string | undefined): string | undefined {
  const written = text ?? example;
  return isList && written.trim() !== '' && readList(written) === null ? words.badList : undefined;
}

/** The values as the server takes them: names with dots make objects within objects. What is empty is not given. */
export function valuesOf(places: readonly Place[], texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, isList } of places) {
    const text = texts[name] ?? '';
    const value = isList ? readList(text) : text;
    if (value === '' || value === null) continue;
    const steps = name.split('.');
    let at = values;
    for (const step of steps.slice(0, -1)) {
      at[step] = at[step] ?? {};
      at = at[step] as Record<string, unknown>;
    }
    at[steps.at(-1) as string] = value;
  }
  return values;
}

function readList(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
