import type { ApiReader } from '../../../platform/net/api-reader.ts';
import { compileVersion, type FormVersion } from '../../definition/compiled-versions.ts';

/** A form as its owner reads it from the server, with all its versions. */
export interface LocalForm {
  id: string;
  title: string;
  versions: FormVersion[];
}

/** A submission as the server gives it out. */
export interface WireSubmission {
  id: string;
  form_version: number;
  created_at: string;
  sealed: string | null;
  attachments: { id: string; name: string }[];
}

const MOST_VERSIONS = 100;
/** Each may have megabytes. */
const MOST_SUBMISSIONS = 10;

/** Reads a form. */
export async function readForm(api: ApiReader, formId: string): Promise<LocalForm> {
  const path = pathOf(formId);
  const { data } = (await api.json(path)) as { data: { id: string; title: string } };
  const versions: FormVersion[] = [];
  for await (const { version } of pages<{ version: number }>(api, `${path}/versions`, MOST_VERSIONS)) {
    const read = (await api.json(`${path}/versions/${version}`)) as { data: Parameters<typeof compileVersion>[0] };
    versions.push(compileVersion(read.data));
  }
  return { id: data.id, title: data.title, versions };
}

/** Reads the submissions of a form in the order in which they came. */
export function readSubmissions(api: ApiReader, formId: string): AsyncGenerator<WireSubmission> {
  return pages<WireSubmission>(api, `${pathOf(formId)}/submissions`, MOST_SUBMISSIONS, '&order=asc');
}

/** Where a file of a submission is read. */
export function filePath(formId: string, submissionId: string, fileId: string): string {
  return `${pathOf(formId)}/submissions/${submissionId}/attachments/${fileId}`;
}

function pathOf(formId: string): string {
  return `/v1/forms/api/forms/${encodeURIComponent(formId)}`;
}

async function* pages<T>(api: ApiReader, path: string, items: number, more = ''): AsyncGenerator<T> {
  for (let page = 1; ; page += 1) {
    const { data } = (await api.json(`${path}?page=${page}&items=${items}${more}`)) as { data: T[] };
    yield* data;
    if (data.length < items) return;
  }
}
