import { AppError } from '../errors.ts';

interface ValidationProblem {
  keyword: string;
  instancePath: string;
  schemaPath: string;
  message?: string;
  params: Record<string, unknown>;
}

/** More words than this are no help. */
const MOST_WORDS = 12;

/** Names each field and the rules it broke; a rule's text comes from the schema, never from the value. */
export function fromValidation(problems: readonly ValidationProblem[]): AppError {
  const fields = Object.fromEntries(
    [...Map.groupBy(problems, fieldOf)].map(([name, broken]) => [name, rulesOf(broken)]),
  );
  const detail = Object.entries(fields).map(([name, rules]) => `${name} ${rules.join(', ')}`);
  return new AppError('invalid_request', detail.join('; '), { fields });
}

function fieldOf(problem: ValidationProblem): string {
  const named = namedPart(problem.instancePath.split('/').slice(1), problem.schemaPath.split('/'));
  const missing = missingPart(problem);
  return [...named, ...(missing === undefined ? [] : [missing])].join('.') || 'body';
}

function missingPart({ params }: ValidationProblem): string | undefined {
  return (params.missingProperty ?? (params.requiredProperties as string[] | undefined)?.[0]) as string | undefined;
}

/** What may stand in a field is told in one rule, though each of several forms was tried by itself. */
function rulesOf(problems: ValidationProblem[]): string[] {
  const forms = [...new Set(problems.flatMap((problem) => formsOf(problem) ?? []))];
  const others = problems.filter((problem) => formsOf(problem) === null).map(ruleOf);
  const taken =
    forms.length === 0 ? [] : [`must be ${new Intl.ListFormat('en', { type: 'disjunction' }).format(forms)}`];
  const rules = [...taken, ...new Set(others)];
  return rules.length === 0 ? ['is not valid'] : rules;
}

function ruleOf(problem: ValidationProblem): string {
  return missingPart(problem) === undefined ? (problem.message ?? 'is not valid') : 'is required';
}

/** The forms that a problem names; null where it is about something else. */
function formsOf({ keyword, params }: ValidationProblem): string[] | null {
  if (keyword === 'anyOf') return [];
  if (keyword === 'type') return [params.type].flat() as string[];
  if (keyword === 'const') return [JSON.stringify(params.allowedValue)];
  const words = keyword === 'enum' ? (params.allowedValues as unknown[]) : [];
  return words.length > 0 && words.length <= MOST_WORDS ? words.map((word) => JSON.stringify(word)) : null;
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
