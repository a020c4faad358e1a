import type { Owner } from '../owner.ts';
import { ofForm } from './forms.ts';
import { inPath, NO_UUID, type Place, spellings } from './place.ts';
import { ofSubmission } from './rights.ts';

const DONE = { work_state: 'done' };

/** The id of a person in a body. */
const ofAssignee = (method: string, path: (asker: Owner) => string, bodyOf: (asker: Owner) => object): Place => ({
  name: 'assignee_id',
  ask: (app, asker, id) =>
    app.request(method, path(asker), { key: asker.key, body: { ...bodyOf(asker), assignee_id: id } }),
  foreign: ({ assigneeId }) => spellings(assigneeId),
  whenForeign: 403,
  unknown: NO_UUID,
  whenUnknown: 404,
});

const ofExport = (method: string, rest = '') =>
  inPath(method, (id) => `/v1/forms/api/forms/export_jobs/${id}${rest}`, {
    foreign: ({ formExportId }) => spellings(formExportId),
    unknown: NO_UUID,
    name: 'jid',
  });

/** The ids in requests about what staff makes of submissions, and about exports. */
export const WORK_PLACES: Record<string, Place[]> = {
  readOpenWork: [],
  readFormActivity: [ofForm('GET', () => '/activity')],
  checkForm: [ofForm('GET', () => '/check')],
  previewForm: [],
  readWork: ofSubmission('GET', 'work'),
  changeWork: [
    ...ofSubmission('PATCH', 'work', DONE),
    ofAssignee(
      'PATCH',
      ({ formIds: [form], submissionIds: [id] }) => `/v1/forms/api/forms/${form}/submissions/${id}/work`,
      () => ({}),
    ),
  ],
  changeManyWorks: [
    {
      ...ofForm('POST', () => '/submissions/work'),
      ask: (app, { key, submissionIds: ids }, id) =>
        app.request('POST', `/v1/forms/api/forms/${id}/submissions/work`, { key, body: { ids, ...DONE } }),
    },
    {
      name: 'ids',
      ask: (app, { key, formIds: [form], submissionIds: [own] }, id) => {
        const body = { ids: [own, id], ...DONE };
        return app.request('POST', `/v1/forms/api/forms/${form}/submissions/work`, { key, body });
      },
      foreign: ({ submissionIds: [id] }) => spellings(id),
      whenForeign: 403,
      unknown: NO_UUID,
      whenUnknown: 404,
    },
    ofAssignee(
      'POST',
      ({ formIds: [form] }) => `/v1/forms/api/forms/${form}/submissions/work`,
      ({ submissionIds: ids }) => ({ ids }),
    ),
  ],
  listNotes: ofSubmission('GET', 'notes'),
  createNote: ofSubmission('POST', 'notes', { text: 'Call back' }),
  takeBackNote: [
    {
      ...ofForm('DELETE', ({ submissionIds: [id], noteId }) => `/submissions/${id}/notes/${noteId}`),
      foreign: ({ formIds: [form] }) => spellings(form),
    },
    inPath(
      'DELETE',
      (id, { formIds: [form], noteId }) => `/v1/forms/api/forms/${form}/submissions/${id}/notes/${noteId}`,
      { foreign: ({ submissionIds: [id] }) => spellings(id), unknown: NO_UUID, name: 'sid' },
    ),
    inPath(
      'DELETE',
      (id, { formIds: [form], submissionIds: [sid] }) => `/v1/forms/api/forms/${form}/submissions/${sid}/notes/${id}`,
      { foreign: ({ noteId }) => spellings(noteId), unknown: NO_UUID, name: 'nid' },
    ),
  ],
  createFormExport: [ofForm('POST', () => '/export_jobs', { format: 'csv' })],
  listFormExports: [],
  readFormExport: [ofExport('GET')],
  readFormExportFile: [ofExport('GET', '/file')],
  endFormExport: [ofExport('DELETE')],
};
