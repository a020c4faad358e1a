import { randomUUID } from 'node:crypto';
import type { Owner } from '../owner.ts';
import { inboxOf, inPath, NO_UUID, type Place, spellings } from './place.ts';

/** The id of a form in the path; the second of an owner's is there to be taken away. */
export const ofForm = (method: string, rest: (asker: Owner) => string = () => '', body?: object) =>
  inPath(method, (id, asker) => `/v1/forms/api/forms/${id}${rest(asker)}`, {
    foreign: ({ formIds: [kept, leaving] }) => (method === 'DELETE' ? [leaving] : spellings(kept)),
    unknown: NO_UUID,
    ...(body && { body }),
  });

/** The id of a submission, below a form of the asker's own. */
const ofSubmission = (method: string, rest: (id: string, asker: Owner) => string, name = 'sid') =>
  inPath(method, (id, asker) => `/v1/forms/api/forms/${asker.formIds[0]}/submissions${rest(id, asker)}`, {
    foreign: ({ submissionIds: [kept, leaving] }) => (method === 'DELETE' ? [leaving] : spellings(kept)),
    unknown: NO_UUID,
    name,
  });

/** The id of a list in the body that makes or changes a form. */
const listOfForm = (method: string, path: (asker: Owner) => string, bodyOf: (asker: Owner) => object): Place => ({
  name: 'subscription_list_id',
  ask: (app, asker, id) =>
    app.request(method, path(asker), { key: asker.key, body: { ...bodyOf(asker), subscription_list_id: id } }),
  foreign: ({ listId }) => [String(listId)],
  whenForeign: 403,
  unknown: ['999999', '-1', 'malformed', randomUUID()],
  whenUnknown: 404,
});

/** The ids in the requests of the Forms area. */
export const FORMS_PLACES: Record<string, Place[]> = {
  listForms: [
    {
      name: 'customer_id',
      ask: (app, { key }, id) => app.request('GET', `/v1/forms/api/forms?customer_id=${id}`, { key }),
      foreign: ({ id }) => [String(id), `0${id}`],
      whenForeign: 403,
      unknown: ['0', '2147483647'],
      whenUnknown: 403, // as where the customer exists, so that nobody can count the customers
    },
    {
      name: 'form_id',
      ask: (app, { key, id }, formId) =>
        app.request('GET', `/v1/forms/api/forms?customer_id=${id}&form_id=${formId}`, { key }),
      foreign: ({ formIds }) => formIds.flatMap((id) => [id, id.toUpperCase(), id.replaceAll('-', '')]),
      whenForeign: 403,
      unknown: [randomUUID(), 'malformed'],
      whenUnknown: 'empty',
    },
  ],
  createForm: [
    {
      name: 'customer_id',
      ask: (app, { key }, id) =>
        app.request('POST', '/v1/forms/api/forms', { key, body: { title: 'New', form_json: {}, customer_id: id } }),
      foreign: ({ id }) => [String(id), `0${id}`],
      whenForeign: 403,
      unknown: ['0', '2147483647'],
      whenUnknown: 403,
    },
    listOfForm(
      'POST',
      () => '/v1/forms/api/forms',
      ({ id }) => ({ title: 'New', form_json: {}, customer_id: id }),
    ),
  ],
  readFormStats: [
    {
      name: 'customer_id',
      ask: (app, { key }, id) => app.request('GET', `/v1/forms/api/forms/stats?customer_id=${id}`, { key }),
      foreign: ({ id }) => [String(id), `0${id}`],
      whenForeign: 403,
      unknown: ['0', '2147483647'],
      whenUnknown: 403,
    },
  ],
  readForm: [ofForm('GET')],
  updateForm: [
    ofForm('PUT', undefined, { description: 'changed' }),
    {
      name: 'customer_id',
      ask: (app, { key, formIds }, id) =>
        app.request('PUT', `/v1/forms/api/forms/${formIds[0]}`, { key, body: { customer_id: id } }),
      foreign: ({ id }) => [String(id), `0${id}`],
      whenForeign: 403,
      unknown: ['2147483647'],
      whenUnknown: 403,
    },
    listOfForm(
      'PUT',
      ({ formIds: [id] }) => `/v1/forms/api/forms/${id}`,
      () => ({}),
    ),
  ],
  copyForm: [
    {
      name: 'form_id',
      ask: (app, { key }, id) =>
        app.request('POST', '/v1/forms/api/forms/copy', { key, body: { form_id: id, title: 'Copy' } }),
      foreign: ({ formIds: [id] }) => spellings(id),
      whenForeign: 403,
      unknown: NO_UUID,
      whenUnknown: 404,
    },
  ],
  archiveForm: [ofForm('POST', () => '/archive')],
  unarchiveForm: [ofForm('POST', () => '/unarchive')],
  readFormRetention: [ofForm('GET', () => '/retention')],
  updateFormRetention: [ofForm('PUT', () => '/retention', { retention_days: 30 })],
  readFormPage: [ofForm('GET', () => '/page')],
  updateFormPage: [ofForm('PUT', () => '/page', { resumable: true })],
  createFormLinks: [ofForm('POST', () => '/links', { count: 1 })],
  listFormLinks: [ofForm('GET', () => '/links')],
  deleteFormLink: [
    { ...ofForm('DELETE', ({ linkId }) => `/links/${linkId}`), foreign: () => [] },
    inPath('DELETE', (id, { formIds: [own] }) => `/v1/forms/api/forms/${own}/links/${id}`, {
      foreign: ({ linkId }) => [linkId],
      unknown: NO_UUID,
      name: 'lid',
    }),
  ],
  listSubmissions: [
    ofForm('GET', () => '/submissions'),
    {
      ...ofSubmission('GET', (id) => `?submission_id=${id}`, 'submission_id'),
      unknown: [randomUUID(), 'malformed', '1'],
      whenUnknown: 'empty',
    },
    {
      ...inboxOf('submitter_email', (email) => email),
      ask: (app, { key, formIds: [id] }, email) =>
        app.request('GET', `/v1/forms/api/forms/${id}/submissions?submitter_email=${email}`, { key }),
    },
    {
      ...ofSubmission('GET', (id) => `?assignee_id=${id}`, 'assignee_id'),
      foreign: ({ assigneeId }) => spellings(assigneeId),
      unknown: [randomUUID(), 'malformed', '1'],
      whenUnknown: 'empty',
    },
  ],
  exportSubmissionsCsv: [ofForm('GET', () => '/submissions/submission-csv')],
  exportSubmissionCsv: [
    ofForm('GET', ({ submissionIds: [id] }) => `/submissions/submission-csv/${id}`),
    ofSubmission('GET', (id) => `/submission-csv/${id}`),
  ],
  exportSubmissionsXlsx: [ofForm('GET', () => '/submissions/submission-xlsx')],
  exportSubmissionPdf: [
    ofForm('GET', ({ submissionIds: [id] }) => `/submissions/${id}/submission-pdf`),
    ofSubmission('GET', (id) => `/${id}/submission-pdf`),
  ],
  exportQuestionnaire: [ofForm('GET', () => '/fhir/Questionnaire')],
  importQuestionnaire: [],
  exportQuestionnaireResponse: [
    ofForm('GET', ({ submissionIds: [id] }) => `/submissions/${id}/fhir/QuestionnaireResponse`),
    ofSubmission('GET', (id) => `/${id}/fhir/QuestionnaireResponse`),
  ],
  listFormVersions: [ofForm('GET', () => '/versions')],
  readFormVersion: [ofForm('GET', () => '/versions/1')],
  diffFormVersions: [ofForm('GET', () => '/versions/diff?from=1&to=1')],
  showSubmission: [
    ofForm('GET', ({ submissionIds: [id] }) => `/submissions/${id}/page`),
    ofSubmission('GET', (id) => `/${id}/page`),
  ],
  readCertificate: [
    ofForm('GET', ({ submissionIds: [id] }) => `/submissions/${id}/certificate`),
    ofSubmission('GET', (id) => `/${id}/certificate`),
  ],
  readSubmission: [
    ofForm('GET', ({ submissionIds: [id] }) => `/submissions/${id}`),
    ofSubmission('GET', (id) => `/${id}`),
  ],
  readAttachment: [
    ofForm('GET', ({ submissionIds: [id], fileId }) => `/submissions/${id}/attachments/${fileId}`),
    ofSubmission('GET', (id, { fileId }) => `/${id}/attachments/${fileId}`),
    {
      ...ofSubmission('GET', (id, { submissionIds: [own] }) => `/${own}/attachments/${id}`, 'aid'),
      foreign: ({ fileId }) => spellings(fileId),
    },
  ],
  deleteSubmission: [
    { ...ofForm('DELETE', ({ submissionIds: [, id] }) => `/submissions/${id}`), foreign: () => [] },
    ofSubmission('DELETE', (id) => `/${id}`),
  ],
  deleteForm: [ofForm('DELETE')],
  readPublicForm: [],
  readPublicFormSchema: [],
  submitForm: [],
};
