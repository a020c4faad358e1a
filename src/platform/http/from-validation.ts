import { AppError } from '../errors.ts';

interface ValidationProblem {
  keyword: string;
  instancePath: string;
  schemaPath: string;
  message?: string;
  params: Record<string, unknown>;
}

/** More than these are no help. */
const MOST_FORMS = 12;

const EITHER = new Intl.ListFormat('en', { type: 'disjunction' });

/** Names each field and the rules it broke; a rule's text comes from the schema, never from the value. */
export function fromValidation(problems: readonly ValidationProblem[]): AppError {
  const told = problems.filter(({ instancePath }) => !problems.some((other) => isWithin(other, instancePath)));
  const fields = Object.fromEntries([...Map.groupBy(told, fieldOf)].map(([name, broken]) => [name, rulesOf(broken)]));
  const detail = Object.entries(fields).map(([name, rules]) => `${name} ${rules.join(', ')}`);
  return new AppError('invalid_request', detail.join('; '), { fields });
}

/** Where something in it is wrong, a field had the form of a list or an object that it takes. */
function isWithin({ instancePath }: ValidationProblem, path: string): boolean {
  return instancePath.startsWith(`${path}/`);
}

function fieldOf(problem: ValidationProblem): string {
  const missing = missingPart(problem);
  const named = namedPart(pathOf(problem), problem.schemaPath.split('/'));
  return [...named, ...(missing === undefined ? [] : [missing])].join('.') || 'body';
}

function pathOf({ instancePath }: ValidationProblem): string[] {
  return instancePath.split('/').slice(1).map(unescaped);
}

/** A part of a path as it is written in JSON Pointers (RFC 6901 3). */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function missingPart({ params }: ValidationProblem): string | undefined {
  return (params.missingProperty ?? (params.requiredProperties as string[] | undefined)?.[0]) as string | undefined;
}

/**
 * Each of the forms that a field takes was tried by itself. Where one of them fits but for a rule, that rule is what is
 * wrong; where none does, all of them are told together.
 */
function rulesOf(problems: ValidationProblem[]): string[] {
  const broken = problems.filter((problem) => formsOf(problem) === null).map(ruleOf);
  if (broken.length > 0) return [...new Set(broken)];
  const forms = [...new Set(problems.flatMap((problem) => formsOf(problem) ?? []))];
  const isHelp = forms.length > 0 && forms.length <= MOST_FORMS;
  return [`${whereOf(problems[0])}${isHelp ? `must be ${EITHER.format(forms)}` : 'is not valid'}`];
}

/** Whose rule it is, where that has a name of the caller's own. */
function whereOf(problem: ValidationProblem | undefined): string {
  if (problem === undefined) return '';
  const path = pathOf(problem);
  return namedPart(path, problem.schemaPath.split('/')).length < path.length ? 'has a value that ' : '';
}

function ruleOf(problem: ValidationProblem): string {
  return missingPart(problem) === undefined ? `${whereOf(problem)}${problem.message ?? 'is not valid'}` : 'is required';
}

/** The forms that a problem names; null where it is about something else. */
function formsOf({ keyword, params }: ValidationProblem): string[] | null {
  switch (keyword) {
    case 'anyOf':
      return [];
    case 'type':
      return [params.type].flat() as string[];
    case 'const':
      return [JSON.stringify(params.allowedValue)];
    case 'enum':
      return (params.allowedValues as unknown[]).map((word) => JSON.stringify(word));
    default:
      return null;
  }
}

/** The beginning of a path that the schema names: the keys of a free-form object are the caller's own words. */
function namedPart(path: string[], schemaPath: string[]): string[] {
  let depth = 0;
  for (let at = 0; at < schemaPath.length; at += 1) {
    const step = schemaPath[at];
    if (step === 'patternProperties' || step === 'additionalProperties') return path.slice(0, depth);
    if (step === 'properties' || step === 'items') depth += 1;
    if (step === 'properties') at += 1; // a property may bear any of these names
  }
  return path;
}
