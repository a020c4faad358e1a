import { randomUUID } from 'node:crypto';
import type { Reply, TestApp } from './app.ts';
import type { Owner } from './owner.ts';

export type Wanted = 403 | 404 | 'empty';

/** One place of an operation where an id can stand. */
export interface Place {
  /** The name of the parameter or of the property in the body. */
  name: string;
  ask(app: TestApp, asker: Owner, id: string): Promise<Reply>;
  /** Another customer's ids. */
  foreign(owner: Owner): string[];
  whenForeign: Wanted;
  unknown: string[];
  whenUnknown: Wanted;
}

const subscriber = { email: 'stranger@example.net' };
export const message = {
  recipients: ['someone@example.net'],
  headers: { from: 'clinic@example.net', subject: 'Hello' },
};
const inADay = () => new Date(Date.now() + 24 * 3600_000).toISOString();

const NO_NUMBER = ['999999', '0', '2147483648', '9'.repeat(30), '-1', '1.5', 'malformed', randomUUID()];
const NO_UUID = [randomUUID(), 'malformed', '1', randomUUID().slice(1), '%00'];

/** A UUID as clients write it. */
const spellings = (id: string) => [id, id.toUpperCase(), id.replaceAll('-', '')];

type Path = (id: string, asker: Owner) => string;

/** An id in the path, or in the query, of an operation. */
function inPath(
  call: string,
  path: Path,
  { foreign, unknown, body, name = 'id' }: Pick<Place, 'foreign' | 'unknown'> & { body?: object; name?: string },
): Place {
  return {
    name,
    ask: (app, asker, id) => app.request(call, path(id, asker), { key: asker.key, ...(body && { body }) }),
    foreign,
    whenForeign: 403,
    unknown,
    whenUnknown: 404,
  };
}

const ofTemplate = (method: string, rest = '', body?: object) =>
  inPath(method, (id) => `/v1/email/dynamic_templates/${id}${rest}`, {
    foreign: ({ templateIds: [kept, leaving] }) => [method === 'DELETE' ? leaving : kept],
    unknown: [...NO_NUMBER, '%00'],
    ...(body && { body }),
  });

const ofScheduled = (method: string, rest = '', body?: object) =>
  inPath(method, (id) => `/v1/email/schedule/${id}${rest}`, {
    foreign: ({ scheduledIds: [kept, leaving] }) => (rest === '/cancel' ? [leaving] : spellings(kept)),
    unknown: NO_UUID,
    ...(body && { body }),
  });

const ofEndpoint = (method: string, body?: object) =>
  inPath(method, (id) => `/v1/email/webhook_endpoints/${id}`, {
    foreign: ({ endpoints: [kept, leaving] }) => [method === 'DELETE' ? leaving.id : kept.id],
    unknown: [...NO_NUMBER, '%00'],
    ...(body && { body }),
  });

const ofWebhook = (method: string, rest: (asker: Owner) => string = () => '', body?: object) =>
  inPath(method, (id, asker) => `/v1/webhooks/endpoints/${id}${rest(asker)}`, {
    foreign: ({ endpoints: [kept, , leaving] }) =>
      method === 'DELETE' ? [leaving.publicId] : spellings(kept.publicId),
    unknown: NO_UUID,
    ...(body && { body }),
  });

/** The id of a template within what is sent. */
function templateIn(path: string, bodyWith: (template: { template_id: string }) => object): Place {
  return {
    name: 'template_id',
    ask: (app, { key }, id) => app.request('POST', path, { key, body: { data: bodyWith({ template_id: id }) } }),
    foreign: ({ templateIds: [id] }) => [id, `0${id}`],
    whenForeign: 403,
    unknown: ['999999', randomUUID(), 'no such name', '0', '9'.repeat(30)],
    whenUnknown: 404,
  };
}

/** The name of another customer's template is nothing to anybody else. */
function templateNameIn(path: string, bodyWith: (name: string) => object): Place {
  return {
    name: 'template_name',
    ask: (app, { key }, name) => app.request('POST', path, { key, body: { data: bodyWith(name) } }),
    foreign: ({ mark }) => [mark],
    whenForeign: 404,
    unknown: ['no such name'],
    whenUnknown: 404,
  };
}

function inboxOf(name: string, pathTo: (to: string) => string): Place {
  return {
    name,
    ask: (app, { key }, to) => app.request('GET', pathTo(encodeURIComponent(to)), { key }),
    foreign: ({ recipient }) => [recipient],
    whenForeign: 'empty',
    unknown: ['nobody@example.net'],
    whenUnknown: 'empty',
  };
}

/** The id of a form in the path; the second of an owner's is there to be taken away. */
const ofForm = (method: string, rest: (asker: Owner) => string = () => '', body?: object) =>
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

const ofMessage = { foreign: ({ messageId }: Owner) => spellings(messageId), unknown: NO_UUID };

/** The ids in the requests of every operation of the API. */
export const ID_PLACES: Record<string, Place[]> = {
  sendMessage: [
    templateIn('/v1/email/messages', (template) => ({ message, ...template })),
    templateIn('/v1/email/messages', (template) => ({ message: { ...message, ...template } })),
    templateNameIn('/v1/email/messages', (name) => ({ message, template_id: name })),
  ],
  sendBulkMessages: [
    templateIn('/v1/email/bulk_messages', (template) => ({ messages: [{ ...message, ...template }] })),
    templateIn('/v1/email/bulk_messages', (template) => ({ messages: [message, { ...message, ...template }] })),
    templateNameIn('/v1/email/bulk_messages', (name) => ({ messages: [message, { ...message, template_id: name }] })),
  ],
  sendTemplatedMessage: [templateNameIn('/v1/email/templated_messages', (name) => ({ message, template_name: name }))],
  scheduleMessage: [
    templateIn('/v1/email/schedule', (template) => ({ message, scheduled_at: inADay(), ...template })),
    templateIn('/v1/email/schedule', (template) => ({ message: { ...message, ...template }, scheduled_at: inADay() })),
  ],
  readScheduledMessage: [ofScheduled('GET')],
  moveScheduledMessage: [ofScheduled('PATCH', '', { scheduled_at: inADay() })],
  cancelScheduledMessage: [ofScheduled('POST', '/cancel')],
  readReceipt: [
    inPath('GET', (id) => `/v1/email/message_receipt?sourceTrackingId=${id}`, {
      ...ofMessage,
      unknown: [...NO_UUID, ''],
      name: 'sourceTrackingId',
    }),
  ],
  listMessages: [
    inPath('GET', (id) => `/v1/email/message_log?to=nobody@example.net&after=${id}`, { ...ofMessage, name: 'after' }),
    inboxOf('to', (to) => `/v1/email/message_log?to=${to}`),
  ],
  readMessage: [inPath('GET', (id) => `/v1/email/message_log/${id}`, ofMessage)],
  listTemplates: [],
  createTemplate: [],
  readTemplate: [ofTemplate('GET')],
  updateTemplate: [ofTemplate('PATCH', '', { body: 'changed' })],
  replaceTemplate: [ofTemplate('PUT', '', { body: 'changed again' })],
  deleteTemplate: [ofTemplate('DELETE')],
  listTemplateVersions: [ofTemplate('GET', '/versions')],
  previewTemplate: [ofTemplate('POST', '/preview', { template_variables: {} })],
  listWebhookEndpoints: [],
  createWebhookEndpoint: [],
  readWebhookEndpoint: [ofEndpoint('GET')],
  updateWebhookEndpoint: [ofEndpoint('PATCH', { active: false })],
  deleteWebhookEndpoint: [ofEndpoint('DELETE')],
  listWebhooks: [],
  createWebhook: [],
  readWebhook: [ofWebhook('GET')],
  updateWebhook: [ofWebhook('PATCH', undefined, { status: 'disabled' })],
  listWebhookDeliveries: [ofWebhook('GET', () => '/deliveries')],
  readWebhookDelivery: [
    ofWebhook('GET', ({ deliveryId }) => `/deliveries/${deliveryId}`),
    inPath('GET', (id, { endpoints: [own] }) => `/v1/webhooks/endpoints/${own.publicId}/deliveries/${id}`, {
      foreign: ({ deliveryId }) => spellings(deliveryId),
      unknown: NO_UUID,
      name: 'delivery_id',
    }),
  ],
  replayWebhookDeliveries: [
    ofWebhook('POST', () => '/replay', { from_sequence: 1 }),
    {
      name: 'delivery_id',
      ask: (app, { key, endpoints: [own] }, id) =>
        app.request('POST', `/v1/webhooks/endpoints/${own.publicId}/replay`, { key, body: { delivery_id: id } }),
      foreign: ({ deliveryId }) => spellings(deliveryId),
      whenForeign: 403,
      unknown: [...NO_UUID, ''],
      whenUnknown: 404,
    },
  ],
  rotateWebhookSecret: [ofWebhook('POST', () => '/rotate_secret')],
  deleteWebhook: [ofWebhook('DELETE')],
  listEvents: [],
  readEmailSettings: [],
  updateEmailSettings: [],
  readSandbox: [inboxOf('to', (to) => `/v1/email/sandbox/messages?to=${to}`)],
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
  createSubscriber: [
    {
      name: 'subscription_list_id',
      ask: (app, { key }, id) =>
        app.request('POST', '/v1/marketing/subscribers', { key, body: { subscriber, subscription_list_id: id } }),
      foreign: ({ listId }) => [String(listId)],
      whenForeign: 403,
      unknown: ['999999', '0', '-1', 'malformed', randomUUID()],
      whenUnknown: 404,
    },
  ],
  setUpUser: [],
};

/** Ids that an operation passes over, or that are for anybody. */
export const PASSED_OVER: Record<string, string[]> = {
  sendTemplatedMessage: ['template_id'],
  createForm: ['old_form_id'],
  readPublicForm: ['id'],
  readPublicFormSchema: ['id'],
  submitForm: ['id'],
};
