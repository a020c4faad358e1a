import type { Answers } from '../model/form-model.ts';
import { isRecord } from '../model/normalise.ts';
import { MOST_PICTURES } from './page-limits.ts';
import type { PageState } from './state.ts';
import { answerOf, entriesOf } from './steps.ts';
import type { ShownSignature } from './view.ts';

/** The path of a signature: of a question, also within an entry of a group; null for the form's own. */
type SignaturePath = readonly string[] | null;

/** The state with the picture of a signature; null where it has no room for it beside the others. */
export function withPicture(state: PageState, path: SignaturePath, image: string): PageState | null {
  const signed = path === null ? signedAsWhole(state, image) : signedAt(state, path, image);
  const pictures = [signed.signature?.image ?? '', ...picturesIn(signed.answers)];
  return pictures.join('').length > MOST_PICTURES ? null : signed;
}

function signedAsWhole(state: PageState, image: string): PageState {
  const given: ShownSignature = state.signature ?? { method: 'uploaded', name: '', confirmed: false, image: null };
  return { ...state, signature: { ...given, method: 'uploaded', image } };
}

function signedAt(state: PageState, [name = '', place, inside]: readonly string[], image: string): PageState {
  if (place === undefined || inside === undefined) return { ...state, answers: signedIn(state.answers, name, image) };
  const before = entriesOf(answerOf(state.answers, name));
  const length = Math.max(before.length, Number(place) + 1);
  const entries = Array.from({ length }, (_, i) => {
    const entry = before[i] ?? {};
    return i === Number(place) ? signedIn(entry, inside, image) : entry;
  });
  return { ...state, answers: withAnswer(state.answers, name, entries) };
}

function signedIn(answers: Answers, name: string, image: string): Answers {
  const answer = answerOf(answers, name);
  const given = { confirmed: false, name: '', ...(isRecord(answer) ? answer : {}) };
  return withAnswer(answers, name, { ...given, method: 'uploaded', image });
}

function withAnswer(answers: Answers, name: string, answer: unknown): Answers {
  return Object.fromEntries([...Object.entries(answers), [name, answer]]);
}

function picturesIn(answers: Answers): string[] {
  return Object.values(answers).flatMap((answer) => {
    if (Array.isArray(answer)) return entriesOf(answer).flatMap(picturesIn);
    return isRecord(answer) && typeof answer['image'] === 'string' ? [answer['image']] : [];
  });
}
