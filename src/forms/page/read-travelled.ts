import { AppError } from '../../platform/errors.ts';
import { refuseUnstorable } from '../../platform/http/body/json-body.ts';
import { BODY_LIMITS, overLimit } from '../../platform/http/body/streamed/limits.ts';
import type { Answers, FormModel } from '../model/form-model.ts';
import { isRecord } from '../model/normalise.ts';
import { questionsOf } from '../model/questions.ts';
import { mostEntries } from './posted-answers.ts';

/** The answers that travelled with a page, without more entries of a group than it takes. */
export function readTravelledAnswers(model: FormModel, text: string): Answers {
  const read = readTravelled(text);
  const answers = new Map(Object.entries(isRecord(read) ? read : {}));
  for (const question of questionsOf(model)) {
    const answer = question.kind === 'group' ? answers.get(question.name) : undefined;
    if (question.kind !== 'group' || !Array.isArray(answer)) continue;
    answers.set(question.name, answer.slice(0, mostEntries(question)));
  }
  return Object.fromEntries(answers);
}

/** The tokens of files that travelled with a page, by the path of their question. */
export function readTravelledFiles(text: string): Record<string, string[]> {
  const read = readTravelled(text);
  const lists = Object.entries(isRecord(read) ? read : {}).map(
    ([path, tokens]) => [path, listOfTexts(tokens)] as const,
  );
  const kept = lists.filter(([, tokens]) => tokens.length > 0);
  if (kept.flatMap(([, tokens]) => tokens).length > BODY_LIMITS.files) throw overLimit(BODY_LIMITS, 'files');
  return Object.fromEntries(kept);
}

/** A list of texts that travelled with a page. */
export function readTravelledTexts(text: string): string[] {
  return listOfTexts(readTravelled(text));
}

function listOfTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Reads JSON with no more values and no deeper than any body may have; null where it is none. */
function readTravelled(text: string): unknown {
  refuseTooMuch(text);
  try {
    return text === '' ? null : parse(text);
  } catch (error) {
    if (error instanceof AppError) throw error;
    return null;
  }
}

/** Text that no other way in takes is not taken by this one. */
function parse(text: string): unknown {
  return JSON.parse(text, (key, value) => {
    refuseUnstorable(key);
    if (typeof value === 'string') refuseUnstorable(value);
    return value;
  });
}

function refuseTooMuch(text: string): void {
  let items = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (sign === ',' || sign === '{' || sign === '[') items += 1;
    if (items > BODY_LIMITS.items) throw overLimit(BODY_LIMITS, 'items');
    if (depth > BODY_LIMITS.depth) throw overLimit(BODY_LIMITS, 'depth');
  }
}

/** Where the string ends that begins at a place. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
