import { randomUUID } from 'node:crypto';
import { AppError } from '../../platform/errors.ts';
import { toBodyStream } from '../../platform/http/body/body-stream.ts';
import type { FormVersion } from '../definition/compiled-versions.ts';
import { isSealedForm } from '../end-to-end/check-sent.ts';
import { isRecord } from '../model/normalise.ts';
import { discardFiles, receive, refuseTooLong } from '../submissions/receive.ts';
import { pageLimitsOf } from './page-limits.ts';
import type { Controls } from './posted-answers.ts';
import { one, type Posted, readPosted } from './read-posted.ts';
import { readSealedPost } from './sealed-post.ts';
import { type ArrivedFile, arrivedFiles } from './take-files.ts';
import type { Carried, PageDeps, Visit } from './visit.ts';

/** A page that was posted, read. */
export interface TakenPage {
  visit: Visit;
  version: FormVersion;
  controls: Controls;
  posted: Posted;
  carried: Carried;
  arrived: ArrivedFile[];
}

/** Reads a page while it arrives; its files are in the store, and nothing refers to them yet. */
export async function readPage(deps: PageDeps, visit: Visit): Promise<TakenPage> {
  const { form, request } = visit;
  refuseTooLong(request.headers['content-length']);
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw new AppError('unsupported_media_type', 'A page is sent as multipart/form-data');
  }
  const keys = await deps.vault.of(form.customerId);
  const store = deps.blobStore;
  const intake = { begin: deps.beginBlob, store, keys };
  const received = await receive(intake, form.customerId, toBodyStream(request.raw), pageLimitsOf(form));
  const controls = controlsIn(received.body.form_data);
  const version = await versionShown(deps, visit, one(controls, '_version'));
  const posted = isSealedForm(form) ? readSealedPost(version.model, controls) : readPosted(version.model, controls);
  if (isSealedForm(form)) await discardFiles(store, received.files);
  return {
    visit,
    version,
    controls,
    posted: { ...posted, state: { ...posted.state, version: version.version } },
    carried: {
      once: one(controls, '_once') || randomUUID(),
      shown: one(controls, '_shown'),
      pass: one(controls, '_pass') || null,
      draft: one(controls, '_draft') || null,
    },
    arrived: isSealedForm(form) ? [] : arrivedFiles(received),
  };
}

/** The version that was filled in, which goes on to be taken when the form has been changed; else the newest. */
async function versionShown({ findVersion }: PageDeps, { form }: Visit, told: string): Promise<FormVersion> {
  const shown = /^[1-9]\d{0,8}$/.test(told) ? await findVersion(form, Number(told)) : null;
  return shown ?? ((await findVersion(form, form.version)) as FormVersion);
}

/** The controls of a form; what came as JSON is none of ours. */
export function controlsIn(formData: unknown): Controls {
  const entries = Object.entries(isRecord(formData) ? formData : {});
  const texts = entries.filter(([, value]) => [value].flat().every((each) => typeof each === 'string'));
  return Object.fromEntries(texts) as Controls;
}

/** Removes the files that came with a page which is not taken. */
export function discardArrived({ blobStore }: PageDeps, { arrived }: TakenPage): Promise<void> {
  return discardFiles(
    blobStore,
    arrived.map(({ received }) => received),
  );
}
