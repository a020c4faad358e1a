import { systemClock } from '../../src/platform/clock.ts';
import { timeOrderedId } from '../../src/platform/ids.ts';

const MB = 2 ** 20;
const LARGEST = 100 * MB;
export const DEFAULT_BODY_LIMIT = MB;

/** What the samples name; `createNamed` makes it. */
export const TEMPLATE = { name: 'Greeting', body: '<p>Hello {{name}}</p>', subject: 'For {{name}}' };
export const CHANGING = { name: 'Changing', body: '<p>Hello {{name}}</p>' };
export const TARGET = { target_url: 'http://127.0.0.1:9/kept', events: ['api_mail_log_delivered'] };
export const DELIVERY_ID = timeOrderedId(systemClock);

const inADay = new Date(Date.now() + 24 * 3600_000).toISOString();

const HANDLING = {
  template_id: null,
  template_variables: null,
  override_open_tracking: true,
  override_link_tracking: 0,
  unsubscribe_url: 'https://example.org/leave',
};

const MESSAGE = {
  recipients: ['ann@example.com'],
  cc: ['cc@example.com'],
  bcc: ['bcc@example.com'],
  headers: { from: 'clinic@example.org', subject: 'Results', 'reply-to': 'desk@example.org', 'X-Ward': '7' },
  content: { 'text/plain': 'Here.', 'text/html': '<p>Here.</p>' },
  attachments: [
    { fileName: 'a.txt', contentType: 'text/plain', content: 'YWJj', contentId: 'a', disposition: 'inline' },
  ],
  allowNonTLS: false,
  allow_non_tls: 0,
  forceSecureNotification: false,
  force_secure_notification: '',
  ...HANDLING,
};

const VALUES = { name: 'Ann', list: [{ a: 1 }, 'b'] };
const TEMPLATE_PARTS = { body: '<p>Hello {{name}}</p>', subject: 'Hi', strict: false, allow_raw_html: 'false' };
const ENDPOINT_PARTS = { signing_key: 'a key of 16 letters'.replaceAll(' ', '-'), api_key: 'key', ordered: false };

/** A form that asks for what the sample of a submission answers. */
export const FORM_JSON = {
  fields: [
    { name: 'name', type: 'text' },
    { name: 'age', type: 'number' },
    { name: 'colours', type: 'checkboxes', options: ['red', 'green'] },
    { name: 'file', type: 'file' },
  ],
};

const FORM_PARTS = {
  form_json: FORM_JSON,
  description: 'A form',
  form_html: '<p>Hello</p>',
  form_css: 'p { color: red }',
  recipient: 'desk@example.org, Ann <ann@example.org>',
  signable: true,
  signature_confirmation_label: 'I agree',
  subscription_list_id: null,
  type: 'marketing_form',
  vanity_url: 'a-form',
  active: 'true',
  version: null,
};

/** A body with every field for each operation that takes one. */
export const SAMPLES: Record<string, object> = {
  sendMessage: { data: { message: MESSAGE, ...HANDLING } },
  sendBulkMessages: {
    data: {
      messages: [
        MESSAGE,
        {
          recipients: ['bob@example.com'],
          headers: { from: 'clinic@example.org' },
          template_id: TEMPLATE.name,
          template_variables: VALUES,
        },
      ],
    },
  },
  sendTemplatedMessage: {
    data: {
      template_name: TEMPLATE.name,
      template_values: VALUES,
      message: MESSAGE,
      override_open_tracking: '',
      override_link_tracking: 'true',
      unsubscribe_url: '',
    },
  },
  scheduleMessage: {
    data: {
      message: MESSAGE,
      scheduled_at: inADay,
      ...HANDLING,
      template_id: TEMPLATE.name,
      template_variables: JSON.stringify(VALUES),
    },
  },
  moveScheduledMessage: { scheduled_at: inADay, data: { scheduled_at: inADay } },
  createTemplate: { name: 'New', ...TEMPLATE_PARTS, data: { name: 'New', ...TEMPLATE_PARTS } },
  updateTemplate: { ...CHANGING, ...TEMPLATE_PARTS, data: { ...CHANGING, ...TEMPLATE_PARTS } },
  replaceTemplate: { ...CHANGING, ...TEMPLATE_PARTS, data: { ...CHANGING, ...TEMPLATE_PARTS } },
  previewTemplate: { template_variables: VALUES },
  createWebhookEndpoint: {
    target_url: 'http://127.0.0.1:9/new',
    events: ['api_mail_log_delivered', 'api_mail_log_opened'],
    active: 1,
    ...ENDPOINT_PARTS,
  },
  updateWebhookEndpoint: { ...TARGET, active: true, ...ENDPOINT_PARTS },
  createWebhook: { target_url: 'http://127.0.0.1:9/new', events: ['api_mail_log_delivered'], ordered: true },
  updateWebhook: { ...TARGET, status: 'active', ordered: false },
  replayWebhookDeliveries: {
    delivery_id: DELIVERY_ID,
    from_sequence: 1,
    to_sequence: 9,
    since: '2020-01-01T00:00:00Z',
    until: inADay,
  },
  updateEmailSettings: { open_tracking: true, link_tracking: true },
  createSubscriber: {
    subscriber: {
      email: 'ann@example.com',
      phone_number: '+14155550123',
      first_name: 'Ann',
      last_name: 'Lee',
      custom_fields: [{ Ward: '7' }, { name: 'Doctor', value: 'Kim' }],
    },
    subscription_list_id: null,
  },
  createForm: { title: 'New', customer_id: 1, old_form_id: 7, ...FORM_PARTS },
  updateForm: { title: 'Changed', ...FORM_PARTS },
  copyForm: { form_id: 'put in by findTargets', title: 'Copy' },
  updateFormRetention: { retention_days: 30 },
  submitForm: {
    form_data: { name: 'Ann', age: 7, colours: ['red'], more: { deep: [1] } },
    attachments: [
      { name: 'a.txt', content: 'YWJj' },
      { fileName: 'b.txt', contentType: 'text/plain', content: 'YWI', field: 'file' },
    ],
    signature: { confirmed: true, name: 'Ann', method: 'typed', image: null },
    form_version: 1,
  },
  setUpUser: { token: 'no such token', password: 'correct horse battery staple' },
};

export const BODY_LIMITS: Record<string, number> = {
  sendMessage: LARGEST,
  sendBulkMessages: LARGEST,
  sendTemplatedMessage: LARGEST,
  scheduleMessage: LARGEST,
  createForm: 4 * MB,
  updateForm: 4 * MB,
  submitForm: 250 * MB,
};

/** What needs no key. */
export const PUBLIC = new Set(['submitForm', 'setUpUser']);

/** What also takes a form. */
export const TAKES_FORMS = new Set([
  'createTemplate',
  'updateTemplate',
  'replaceTemplate',
  'createWebhookEndpoint',
  'updateWebhookEndpoint',
]);

/** Changes of which an empty one is a change of nothing. */
export const TAKES_NOTHING = new Set([
  'updateTemplate',
  'replaceTemplate',
  'previewTemplate',
  'updateWebhookEndpoint',
  'updateWebhook',
  'updateEmailSettings',
  'updateForm',
]);

/** What is done once under an Idempotency-Key. */
export const IDEMPOTENT = new Set([
  'sendMessage',
  'sendBulkMessages',
  'sendTemplatedMessage',
  'scheduleMessage',
  'createTemplate',
  'createWebhookEndpoint',
  'createWebhook',
  'createSubscriber',
  'createForm',
  'copyForm',
  'submitForm',
]);
