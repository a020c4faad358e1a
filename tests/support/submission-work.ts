import assert from 'node:assert/strict';
import { createUser } from '../../src/accounts/index.ts';
import type { TestApp, TestCustomer } from './app.ts';
import { eventually } from './eventually.ts';

/** What staff has made of a submission. */
export interface WorkDone {
  /** Somebody who may have submissions. */
  assigneeId: string;
  noteId: string;
  /** An export that is done. */
  formExportId: string;
}

/** Somebody of a customer who may read submissions. */
export async function addColleague(app: TestApp, customerId: number, email: string, role = 'editor'): Promise<string> {
  return (await createUser(app.installation, app.act(customerId, 'user.created'), { email, role })).id;
}

/** Gives a submission to somebody, notes something on it and exports its form, in an app that also works. */
export async function addWork(
  app: TestApp,
  { id, key, mark }: TestCustomer & { mark: string },
  { formId, submissionId }: { formId: string; submissionId: string },
): Promise<WorkDone> {
  const assigneeId = await addColleague(app, id, `${mark}@colleagues.example`);
  const path = `/api/forms/${formId}/submissions/${submissionId}`;
  const work = { work_state: 'in_work', assignee_id: assigneeId };
  assert.equal((await app.request('PATCH', `${path}/work`, { key, body: work })).status, 200);
  const note = await app.request('POST', `${path}/notes`, { key, body: { text: mark } });
  const asked = await app.request('POST', `/api/forms/${formId}/export_jobs`, { key, body: { format: 'csv' } });
  const formExportId: string = asked.body.data.id;
  await exportDone(app, key, formExportId);
  return { assigneeId, noteId: note.body.data.id, formExportId };
}

/** Waits until an export is done. */
function exportDone(app: TestApp, key: string, id: string) {
  return eventually(async () => {
    const { body } = await app.request('GET', `/api/forms/export_jobs/${id}`, { key });
    return body.data.state === 'done' && body.data;
  });
}
