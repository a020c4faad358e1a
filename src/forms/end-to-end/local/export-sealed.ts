import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ApiReader } from '../../../platform/net/api-reader.ts';
import type { FormVersion } from '../../definition/compiled-versions.ts';
import { writeCsv } from '../../export/csv.ts';
import { whatWasAskedThen } from '../../model/asked.ts';
import { todayAt } from '../../model/today.ts';
import { tableOf, toExported } from '../../submissions/export.ts';
import type { Submission } from '../../submissions/submission.ts';
import { openFiles } from './open-files.ts';
import { type Judged, judgeContent, NotOpened, openContent } from './open-submission.ts';
import { type LocalForm, readForm, readSubmissions, type WireSubmission } from './read-form.ts';

export type SealedFormat = 'csv' | 'json' | 'pdf';

interface Wanted {
  api: ApiReader;
  formId: string;
  identities: readonly string[];
  /** A folder that is there and empty. */
  out: string;
  formats: ReadonlySet<SealedFormat>;
}

/** What came of an export. */
export interface SealedExport {
  opened: number;
  /** Those that the server can read, which are not in it. */
  readable: number;
  /** Those that do not fit their form, with what is wrong by question; they are in it all the same. */
  unfit: { id: string; problems: Record<string, string[]> }[];
  /** Those that could not be opened, and why. */
  closed: { id: string; reason: string }[];
}

/**
 * Reads the submissions of a form whose answers only the holder of an identity can read, and writes them with their files
 * as the server does with those of other forms. Nothing that was opened leaves this machine.
 */
export async function exportSealed({ api, formId, identities, out, formats }: Wanted): Promise<SealedExport> {
  const form = await readForm(api, formId);
  const opening = { api, identities, form, folder: join(out, 'files') };
  const done: SealedExport = { opened: 0, readable: 0, unfit: [], closed: [] };
  const opened: Judged[] = [];
  for await (const wire of readSubmissions(api, form.id)) {
    const judged = wire.sealed === null ? 'readable' : await openOne(opening, wire);
    if (judged === 'readable') done.readable += 1;
    else if (judged instanceof NotOpened) done.closed.push({ id: wire.id, reason: judged.message });
    else opened.push(judged);
  }
  done.opened = opened.length;
  for (const { submission, problems } of opened) {
    if (Object.keys(problems).length > 0) done.unfit.push({ id: submission.id, problems });
  }
  const submissions = opened.map(({ submission }) => submission);
  if (formats.has('csv')) await writeTable(form, submissions, join(out, 'submissions.csv'));
  if (formats.has('json')) await writeJson(opened, join(out, 'submissions.json'));
  if (formats.has('pdf')) await writePdfs(form, submissions, join(out, 'pdf'));
  return done;
}

async function openOne(opening: Parameters<typeof openFiles>[0], wire: WireSubmission): Promise<Judged | NotOpened> {
  const { identities, form } = opening;
  try {
    const content = await openContent(identities, form, wire);
    const files = await openFiles(opening, wire, content);
    return judgeContent(form, versionOf(form, content.version), wire, { content, files });
  } catch (error) {
    if (error instanceof NotOpened) return error;
    throw error;
  }
}

function versionOf({ versions }: LocalForm, number: number): FormVersion {
  const found = versions.find(({ version }) => version === number);
  if (found === undefined) throw new NotOpened('was made for a version that the form does not have');
  return found;
}

async function writeTable({ versions }: LocalForm, submissions: Submission[], path: string): Promise<void> {
  const read = async function* () {
    yield* submissions;
  };
  const table = await tableOf({ versions, amended: false, read });
  await pipeline(writeCsv(table.columns, table.submissions), newFile(path));
}

async function writeJson(opened: Judged[], path: string): Promise<void> {
  const told = opened.map(({ submission: { amendments: _amendments, signers: _signers, ...submission }, problems }) => {
    return { ...submission, problems };
  });
  await pipeline([`${JSON.stringify(told, null, 2)}\n`], newFile(path));
}

async function writePdfs(form: LocalForm, submissions: Submission[], folder: string): Promise<void> {
  const { writePdf } = await import('../../export/pdf.ts');
  await mkdir(folder, { mode: 0o700 });
  for (const submission of submissions) {
    const { id, createdAt, formVersion } = submission;
    const { model, signable } = versionOf(form, formVersion);
    const isAsked = whatWasAskedThen(model, submission, todayAt(createdAt));
    const input = { title: form.title, submission: toExported(submission, model), model, signable, isAsked };
    await pipeline(writePdf(input), newFile(join(folder, `${id}.pdf`)));
  }
}

function newFile(path: string) {
  return createWriteStream(path, { flags: 'wx', mode: 0o600 });
}
