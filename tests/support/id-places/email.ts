import { randomUUID } from 'node:crypto';
import type { Owner } from '../owner.ts';
import { inADay, inboxOf, inPath, message, NO_NUMBER, NO_UUID, type Place, spellings } from './place.ts';

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

const ofDomain = (method: string, rest = '', body?: object) =>
  inPath(method, (id) => `/v1/email/sending_domains/${id}${rest}`, {
    foreign: ({ sendingDomainIds: [kept, leaving] }) => (method === 'DELETE' ? [leaving] : spellings(kept)),
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

/** A batch is refused with 400, whatever is wrong with an element of it. */
function ofBatch(place: Place): Place {
  return { ...place, whenForeign: 400, whenUnknown: 400 };
}

const ofMessage = { foreign: ({ messageId }: Owner) => spellings(messageId), unknown: NO_UUID };

/** The ids in the requests of the Email area. */
export const EMAIL_PLACES: Record<string, Place[]> = {
  sendMessage: [
    templateIn('/v1/email/messages', (template) => ({ message, ...template })),
    templateIn('/v1/email/messages', (template) => ({ message: { ...message, ...template } })),
    templateNameIn('/v1/email/messages', (name) => ({ message, template_id: name })),
  ],
  sendBulkMessages: [
    templateIn('/v1/email/bulk_messages', (template) => ({ messages: [{ ...message, ...template }] })),
    templateIn('/v1/email/bulk_messages', (template) => ({ messages: [message, { ...message, ...template }] })),
    templateNameIn('/v1/email/bulk_messages', (name) => ({ messages: [message, { ...message, template_id: name }] })),
  ].map(ofBatch),
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
  exportEvidence: [inPath('GET', (id) => `/v1/email/message_log/${id}/evidence`, ofMessage)],
  askForUnansweredMessage: [],
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
  replaceWebhookEndpoint: [ofEndpoint('PUT', { active: false })],
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
  sendTestWebhook: [ofWebhook('POST', () => '/test', {})],
  rotateWebhookSecret: [ofWebhook('POST', () => '/rotate_secret')],
  deleteWebhook: [ofWebhook('DELETE')],
  listEvents: [],
  explainRoute: [],
  readEmailSettings: [],
  updateEmailSettings: [],
  listSuppressions: [
    {
      ...inboxOf('address', (to) => `/v1/email/suppressions?address=${to}`),
      foreign: ({ suppressed }) => [suppressed],
    },
  ],
  createSuppression: [],
  deleteSuppression: [
    {
      name: 'address',
      ask: (app, { key }, address) => app.request('DELETE', `/v1/email/suppressions?address=${address}`, { key }),
      foreign: ({ suppressed }) => [suppressed],
      whenForeign: 404,
      unknown: ['nobody@example.net'],
      whenUnknown: 404,
    },
  ],
  listSendingDomains: [],
  createSendingDomain: [],
  readSendingDomain: [ofDomain('GET')],
  updateSendingDomain: [ofDomain('PATCH', '', { warm_up: false })],
  deleteSendingDomain: [ofDomain('DELETE')],
  checkSendingDomain: [ofDomain('POST', '/check')],
  rotateSendingDomainKeys: [ofDomain('POST', '/rotate_keys')],
  listTlsExceptions: [],
  createTlsException: [],
  deleteTlsException: [
    inPath('DELETE', (id) => `/v1/email/tls_exceptions/${id}`, {
      foreign: ({ tlsExceptionId }) => [tlsExceptionId],
      unknown: NO_UUID,
    }),
  ],
  readSandbox: [inboxOf('to', (to) => `/v1/email/sandbox/messages?to=${to}`)],
};
