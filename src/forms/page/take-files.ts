import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import { AppError } from '../../platform/errors.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import { problemsOfFile } from '../model/check/files.ts';
import type { FormModel } from '../model/form-model.ts';
import { discardFiles, type Received, type ReceivedFile } from '../submissions/receive.ts';
import type { Uploads } from '../uploads/uploads.ts';
import { answerPath, plainPath } from './field-name.ts';
import { questionAt } from './posted-answers.ts';
import { withPicture } from './signature-pictures.ts';
import type { PageState } from './state.ts';
import type { Problems } from './turn.ts';
import type { Words } from './words/words-of.ts';

/** A file that came with a page. */
export interface ArrivedFile {
  /** The name of its control. */
  control: string;
  name: string;
  type: string;
  received: ReceivedFile;
}

interface Deps {
  blobs: SealedBlobs;
  blobStore: BlobStore;
  uploads: Uploads;
}

const FORM_SIGNATURE = '_signature.file';
const LARGEST_PICTURE = 1024 * 1024;
const PICTURES = ['image/png', 'image/jpeg'];

/** The files of a body, each with the control that it was chosen in. */
export function arrivedFiles({ body, files }: Received): ArrivedFile[] {
  const parts = body.attachments as { field: string; name: string; contentType: string | null; content: number }[];
  return parts.map(({ field, name, contentType, content }) => {
    const received = files[content] as ReceivedFile;
    return { control: field, name, type: received.type ?? contentType ?? 'application/octet-stream', received };
  });
}

/**
 * Keeps the files that came with a page until the form is sent, and reads pictures of signatures. What no question wants
 * is removed, and told where somebody chose it for one.
 */
export async function takeFiles(
  deps: Deps,
  { form, model, words, network }: { form: PublicForm; model: FormModel; words: Words; network: string },
  before: PageState,
  arrived: readonly ArrivedFile[],
): Promise<{ state: PageState; refused: Problems }> {
  let state = before;
  const refused: Problems = {};
  for (const file of arrived) {
    const path = answerPath(file.control) ?? [];
    const question = questionAt(model, path);
    const signed = path.at(-1) === 'file' ? questionAt(model, path.slice(0, -1)) : undefined;
    if (question?.kind === 'file') {
      const place = plainPath(path);
      const isOneTooMany = (state.files[place]?.length ?? 0) >= question.most;
      const problems = isOneTooMany
        ? [words.sayProblem('mostFiles', question.most)]
        : problemsOfFile(question, fileAt(file), words.sayProblem);
      const next = problems.length === 0 ? await keep(deps, { form, network }, state, place, file) : null;
      if (next !== null) {
        state = next;
        continue;
      }
      refused[place] = problems.length === 0 ? [words.sayOfScript('uploadFailed')] : problems;
    } else if (file.control === FORM_SIGNATURE || signed?.kind === 'signature') {
      const at = signed === undefined ? null : path.slice(0, -1);
      const picture = await readPicture(deps, file);
      const next = picture === null ? null : withPicture(state, at, picture);
      const wanted = picture === null ? 'signPictureWanted' : 'signPictureRoom';
      if (next === null) refused[at === null ? '_signature' : plainPath(at)] = [words.say(wanted)];
      else state = next;
    }
    await discardFiles(deps.blobStore, [file.received]);
  }
  return { state, refused };
}

/** Stands in the place of a file that is gone, so that it is asked for again. */
const GONE = 'gone';

/** The state of a page whose files were not kept. */
export function withoutArrived(model: FormModel, state: PageState, arrived: readonly ArrivedFile[]): PageState {
  const paths = arrived.map(({ control }) => answerPath(control) ?? []);
  const asked = paths.filter((path) => questionAt(model, path)?.kind === 'file').map(plainPath);
  return {
    ...state,
    files: { ...state.files, ...Object.fromEntries(asked.map((path) => [path, [...(state.files[path] ?? []), GONE]])) },
  };
}

/** Keeps a file for a question; null where too many of its network wait already. */
async function keep(
  { uploads }: Deps,
  { form, network }: { form: PublicForm; network: string },
  state: PageState,
  field: string,
  { name, type, received }: ArrivedFile,
): Promise<PageState | null> {
  try {
    const { token } = await uploads.keep(form, received, { name, type, field }, network);
    const files = [...Object.entries(state.files), [field, [...(state.files[field] ?? []), token]] as const];
    return { ...state, files: Object.fromEntries(files) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error;
    return null;
  }
}

function fileAt({ name, type, received }: ArrivedFile) {
  return { name, type, size: received.blob.size, field: null };
}

async function readPicture({ blobs }: Deps, { received }: ArrivedFile): Promise<string | null> {
  const { blob, type } = received;
  if (blob.size > LARGEST_PICTURE || type === null || !PICTURES.includes(type)) return null;
  const pieces: Buffer[] = [];
  for await (const piece of blobs.readNew(blob)) pieces.push(piece);
  return `data:${type};base64,${Buffer.concat(pieces).toString('base64')}`;
}
