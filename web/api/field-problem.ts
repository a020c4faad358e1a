import { inWords } from './in-words.ts';
import type { ApiProblem } from './problem.ts';

/** What a refusal says of one field: areas without a list of fields begin their sentence with its name. */
export function fieldProblem(problem: ApiProblem | null, ...names: string[]): string | undefined {
  if (problem === null) return undefined;
  for (const name of names) {
    const listed = problem.fields[name]?.[0];
    if (listed !== undefined) return sentence(listed);
    const rest = problem.untranslated.startsWith(name) ? problem.untranslated.slice(name.length) : '';
    const told = /^(?:\[\d+\])?: (.+)$/s.exec(rest)?.[1];
    if (told !== undefined) return sentence(inWords(told));
  }
  return undefined;
}

/** Whether a refusal is about these fields and no others, so that it is told there and nowhere else. */
export function isAbout(problem: ApiProblem | null, ...names: string[]): boolean {
  if (problem === null || fieldProblem(problem, ...names) === undefined) return false;
  return Object.keys(problem.fields).every((name) =>
    names.some((shown) => name === shown || name.startsWith(`${shown}[`)),
  );
}

function sentence(rule: string): string {
  return `${rule.slice(0, 1).toUpperCase()}${rule.slice(1)}`;
}
