import type { FormModel } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import type { PageState } from './state.ts';
import { answerOf, entriesOf } from './steps.ts';

/** Opens another entry of a group; as it was where the path is no group's or there are as many as it takes. */
export function addEntry(model: FormModel, state: PageState, path: string): PageState {
  const group = questionsOf(model).find(({ kind, name }) => kind === 'group' && name === path);
  if (group?.kind !== 'group') return state;
  const entries = entriesOf(answerOf(state.answers, path));
  return entries.length >= group.most ? state : withAnswer(state, path, [...entries, {}]);
}

/** Takes an entry of a group away, `medications.1`, with its files; those behind it move up. */
export function removeEntry(model: FormModel, state: PageState, path: string): PageState {
  const [, name, place] = /^(.*)\.(\d{1,9})$/s.exec(path) ?? [];
  const group = questionsOf(model).find((question) => question.kind === 'group' && question.name === name);
  if (group === undefined) return state;
  const entries = entriesOf(answerOf(state.answers, group.name));
  const left = entries.toSpliced(Number(place), 1);
  const files = Object.entries(state.files).flatMap(([at, tokens]) => {
    const moved = movedUp(group.name, Number(place), at);
    return moved === null ? [] : [[moved, tokens] as const];
  });
  return { ...withAnswer(state, group.name, left), files: Object.fromEntries(files) };
}

/** Where the files of a path are after an entry was taken away; null where they were in it. */
function movedUp(group: string, gone: number, path: string): string | null {
  const rest = path.startsWith(`${group}.`) ? path.slice(group.length + 1) : '';
  const [, place, inside] = /^(\d{1,9})\.(.*)$/s.exec(rest) ?? [];
  if (place === undefined || Number(place) < gone) return path;
  return Number(place) === gone ? null : `${group}.${Number(place) - 1}.${inside}`;
}

function withAnswer(state: PageState, name: string, answer: unknown): PageState {
  return { ...state, answers: Object.fromEntries([...Object.entries(state.answers), [name, answer]]) };
}
