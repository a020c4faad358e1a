import type { PublicForm } from '../definition/public-forms.ts';
import type { FormModel } from '../model/form-model.ts';
import type { Today } from '../model/today.ts';
import { MOST_BYTES } from '../submissions/receive.ts';
import type { Upload, Uploads } from '../uploads/uploads.ts';
import type { PageState } from './state.ts';
import { placesAsked, questionsByPath } from './steps.ts';
import { type Turn, withoutFile } from './turn.ts';

/** The files of a page that answer questions for files, each named by the path of its own. */
export async function uploadsOf(
  { uploads }: { uploads: Uploads },
  form: PublicForm,
  model: FormModel,
  { files }: PageState,
): Promise<Upload[]> {
  const questionAt = questionsByPath(model);
  const fields = new Map(
    Object.entries(files)
      .filter(([path]) => questionAt(path)?.question.kind === 'file')
      .flatMap(([path, tokens]) => tokens.map((token) => [token, path] as const)),
  );
  const found = await uploads.find(form, [...fields.keys()]);
  return found.map(({ token, file }) => ({ token, file: { ...file, field: fields.get(token) ?? null } }));
}

/** The question of the first file that is too much for one submission, and how many bytes were left for it; null where there is none. */
export function firstTooMuch(uploads: readonly Upload[]): { path: string; room: number } | null {
  let room = MOST_BYTES;
  for (const { file } of uploads) {
    if (file.size > room) return { path: file.field ?? '', room };
    room -= file.size;
  }
  return null;
}

/** What is sent of the files of a page. Where all are too much, those that nobody is asked for any more stay behind. */
export function fitting(
  model: FormModel,
  state: PageState,
  found: readonly Upload[],
  today: Today,
): { uploads: readonly Upload[]; tooMuch: ReturnType<typeof firstTooMuch> } {
  if (firstTooMuch(found) === null) return { uploads: found, tooMuch: null };
  const asked = filesAsked(model, state, today);
  const uploads = found.filter(({ file }) => file.field !== null && asked.has(file.field));
  return { uploads, tooMuch: firstTooMuch(uploads) };
}

/** The paths of the questions for files that are asked. */
function filesAsked(model: FormModel, { answers }: PageState, today: Today): ReadonlySet<string> {
  const places = model.pages.flatMap((page) => placesAsked(model, page, answers, today));
  return new Set(places.filter(({ kind }) => kind === 'file').map(({ path }) => path));
}

/** The tokens whose files are gone, by the path of their question, as far as that is asked. */
export function lostFiles(model: FormModel, state: PageState, found: readonly Upload[], today: Today) {
  const known = new Set(found.map(({ token }) => token));
  const gone = Object.entries(state.files)
    .map(([path, tokens]) => [path, tokens.filter((token) => !known.has(token))] as const)
    .filter(([, tokens]) => tokens.length > 0);
  if (gone.length === 0) return new Map<string, string[]>();
  const asked = filesAsked(model, state, today);
  return new Map(gone.filter(([path]) => asked.has(path)));
}

/** What follows, without the files whose loss it tells; those of other steps travel on until it is told there. */
export function forgetLost(turn: Turn, lost: ReadonlyMap<string, readonly string[]>): Turn {
  if (turn.kind !== 'show') return turn;
  const told = Object.keys(turn.problems).flatMap((path) => lost.get(path) ?? []);
  return { ...turn, state: told.reduce(withoutFile, turn.state) };
}
