import { systemClock } from '../../src/platform/clock.ts';
import { timeOrderedId } from '../../src/platform/ids.ts';
import { DASHBOARD_SAMPLES } from './dashboard-samples.ts';

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
    { file_name: 'b.txt', content_type: 'text/plain', content: 'YWI' },
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

const SEGMENT_PARTS = {
  name: 'New',
  filters: [[{ field: 'email', op: 'is', terms: ['a@example.org', 'b@example.org'] }]],
  rule: 'email is any of ("a@example.org", "b@example.org")',
};

const LIST_PARTS = { name: 'News', double_opt_in: false, consent_text: 'I want news' };

const PERSON = {
  email: 'changed@example.com',
  phone_number: '+14155550124',
  first_name: 'Ann',
  last_name: 'Lee',
  time_zone: 'America/New_York',
  custom_fields: [{ Ward: '7' }, { name: 'Doctor', value: 'Kim' }],
};

const MAILING_PARTS = {
  default_subject: 'Hello {{first_name}}',
  preheader: 'News',
  from: 'Clinic <clinic@example.org>',
  reply_to: 'desk@example.org',
  html_part: '<p>Hello {{first_name}}</p>',
  text_part: 'Hello',
  mjml_part: null,
  blocks: null,
  form_data: { editor: [1] },
  template_type: 'html',
};

const SEND = {
  sender_email: 'clinic@example.org',
  from_name: 'Clinic',
  subject: 'Hello',
  subscription_list_id: null,
  dynamic_list_id: null,
  recipient_emails: ['ann@example.com', 'bob@example.com'],
  per_second: 10,
  per_domain_per_minute: 60,
  send_window: { from: '09:00', to: '17:00', days: [1, 2], time_zone: 'Europe/Berlin' },
};

/** What the body of a drip holds; its ids are put in by findTargets. */
export const DRIP = {
  name: 'Welcome',
  subscription_list_id: null as string | null,
  start_trigger: 'subscription',
  form_id: null,
  date: null,
  steps: [
    { id: 'day', type: 'delay', days: 1 },
    {
      id: 'who',
      type: 'branch',
      if: { field: 'first_name', op: 'is', terms: ['Ann'] },
      then: [{ id: 'end', type: 'exit' }],
    },
    { id: 'until', type: 'wait', for: { event: 'booked' }, timeout: { hours: 2 } },
  ] as object[],
  drip_campaign_nodes: null,
  drip_campaign_tree_blob: null,
  reentry: 'after_leaving',
  goal: { event: 'booked' },
  time_zone: 'Europe/Berlin',
  sender_email: 'clinic@example.org',
  from_name: 'Clinic',
  reply_to: 'desk@example.org',
  publish_share: 50,
};

/** Everybody who is meant by a request about many; the ids are put in by findTargets. */
const MANY = {
  search: 'ann',
  filters: [[{ field: 'email', op: 'is', terms: ['a@example.org'] }]],
  dynamic_list_id: null,
  from_subscription_list_id: null,
  subscriber_ids: null,
  except_ids: null,
};
const MANY_ON_LISTS = { ...MANY, subscription_list_ids: null };

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
  previewTemplate: { template_variables: VALUES, body: 'Hello {{first}}', subject: 'Hello', allow_raw_html: false },
  createWebhookEndpoint: {
    target_url: 'http://127.0.0.1:9/new',
    events: ['api_mail_log_delivered', 'api_mail_log_opened'],
    active: 1,
    ...ENDPOINT_PARTS,
  },
  updateWebhookEndpoint: { ...TARGET, active: true, ...ENDPOINT_PARTS },
  replaceWebhookEndpoint: { ...TARGET, active: true, ...ENDPOINT_PARTS },
  createWebhook: { target_url: 'http://127.0.0.1:9/new', events: ['api_mail_log_delivered'], ordered: true },
  updateWebhook: { ...TARGET, status: 'active', ordered: false },
  replayWebhookDeliveries: {
    delivery_id: DELIVERY_ID,
    from_sequence: 1,
    to_sequence: 9,
    since: '2020-01-01T00:00:00Z',
    until: inADay,
  },
  sendTestWebhook: { event_name: 'api_mail_log_delivered' },
  updateEmailSettings: { open_tracking: true, link_tracking: true },
  createSuppression: { address: 'stopped@example.com', reason: 'manual' },
  createSendingDomain: { domain: 'clinic.example' },
  updateSendingDomain: { warm_up: true },
  createTlsException: { domain: 'partner.example' },
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
  replaceSubscriber: { subscriber: PERSON },
  updateSubscriber: { subscriber: PERSON },
  createSubscribers: {
    subscribers: [{ ...PERSON, email: 'bob@example.com' }, { phone_number: '+14155550125' }],
    subscription_list_id: null,
  },
  searchSubscribers: {
    items: 20,
    page: 1,
    search: 'ann',
    order_by: 'email',
    order: 'asc',
    subscription_list_id: null,
    dynamic_list_id: null,
    filters: [[{ field: 'email', op: 'is', terms: ['a@example.org'] }]],
  },
  createSubscription: { subscription: 'put in by findTargets' },
  subscribePeople: MANY_ON_LISTS,
  unsubscribePeople: MANY_ON_LISTS,
  subscribeSegment: MANY_ON_LISTS,
  unsubscribeSegment: MANY_ON_LISTS,
  optInPeople: MANY,
  optOutPeople: MANY,
  exportSubscribers: { ...MANY, email: 'desk@example.org', subscription_list_id: null, filters: null },
  exportDynamicList: {
    ...MANY,
    email: 'desk@example.org',
    subscription_list_id: null,
    filters: null,
    dynamic_list_id: 'put in by findTargets',
  },
  receiveForm: {
    form_id: 'put in by findTargets',
    email: 'filler@example.com',
    first_name: 'Ann',
    last_name: 'Lee',
    custom_fields: { Ward: '7' },
  },
  createDripEvent: { event: 'visited', subscriber_id: null, subscriber_ids: null, email: null },
  createDripEnrollments: {
    subscriber_ids: 'put in by findTargets',
    emails: null,
    subscription_list_id: null,
    dynamic_list_id: 'put in by findTargets',
    filters: null,
  },
  createDripCampaign: { drip_campaign: DRIP },
  updateDripCampaign: { drip_campaign: DRIP },
  replaceDripCampaign: { drip_campaign: DRIP },
  startDripCampaign: { enroll_existing: false },
  resumeDripCampaign: { policy: 'shift' },
  publishDripCampaign: { version: 2, share: 20 },
  simulateDripCampaign: {
    version: null,
    steps: null,
    people: [{ first_name: 'Ann', time_zone: 'Asia/Tokyo' }],
    sample: 1,
    start_at: '2027-01-01T00:00:00Z',
    until: '2027-02-01T00:00:00Z',
    events: [{ person: 0, after: { days: 1 }, event: 'custom', name: 'booked' }],
    opens: false,
    clicks: false,
  },
  moveDripCampaign: { from_version: 1, to_version: '2', steps: { day: 'until' } },
  createSubscriptionList: { ...LIST_PARTS, subscription_list: LIST_PARTS },
  updateSubscriptionList: { ...LIST_PARTS, subscription_list: LIST_PARTS },
  replaceSubscriptionList: { ...LIST_PARTS, subscription_list: LIST_PARTS },
  createCustomFieldType: { name: 'New', kind: 'number', class: 'none' },
  updateCustomFieldType: { name: 'Changed', kind: 'text', class: 'personal' },
  createCampaignMailing: { campaign_mailing: { subject: 'New', ...MAILING_PARTS } },
  updateCampaignMailing: { campaign_mailing: { subject: 'Changed', ...MAILING_PARTS } },
  replaceCampaignMailing: { campaign_mailing: { subject: 'Changed', ...MAILING_PARTS } },
  previewCampaignMailing: { campaign_mailing: { subject: 'Shown', ...MAILING_PARTS }, subscriber_id: null },
  sendTestMailing: { to_email: 'ann@example.com' },
  deleteCampaignMailings: { campaign_mailing_ids: [] },
  sendCampaignMailing: { campaign_mailing_id: 'put in by findTargets', campaign_mailing_send: SEND },
  decideCampaignMailingSend: { decision: 'sent' },
  scheduleCampaignMailing: {
    campaign_mailing_id: 'put in by findTargets',
    send_at: inADay,
    campaign_mailing_send: SEND,
  },
  createDynamicList: { ...SEGMENT_PARTS, dynamic_list: SEGMENT_PARTS },
  countDynamicList: { ...SEGMENT_PARTS, dynamic_list: SEGMENT_PARTS },
  updateDynamicList: { ...SEGMENT_PARTS, dynamic_list: SEGMENT_PARTS },
  replaceDynamicList: { ...SEGMENT_PARTS, dynamic_list: SEGMENT_PARTS },
  createForm: { title: 'New', customer_id: 1, old_form_id: 7, ...FORM_PARTS },
  updateForm: { title: 'Changed', ...FORM_PARTS },
  previewForm: {
    title: 'New',
    form_json: FORM_JSON,
    description: 'A form',
    form_html: '<p>Hello</p>',
    form_css: 'p { color: red }',
    recipient: 'desk@example.org',
    signable: true,
    signature_confirmation_label: 'I agree',
    language: 'en',
    page: 0,
  },
  copyForm: { form_id: 'put in by findTargets', title: 'Copy' },
  updateFormRetention: { retention_days: 30 },
  updateFormPage: {
    closes_at: inADay,
    most_submissions: 2 ** 31 - 1,
    password: '',
    single_use: false,
    frame_origins: ['https://clinic.example'],
    resumable: true,
    proof_of_work: 'monitor',
    traps: 'monitor',
    sealed_to: [],
  },
  createFormLinks: { count: 2, expires_at: inADay, answers: { name: 'Ann', more: { deep: [1] } } },
  importQuestionnaire: {
    resourceType: 'Questionnaire',
    title: 'Intake',
    item: [{ linkId: 'a', text: 'Name', type: 'string', required: true }],
  },
  changeManyWorks: { ids: 'put in by findTargets', work_state: 'done', assignee_id: null },
  changeWork: { work_state: 'in_work', assignee_id: null },
  createNote: { text: 'Call back' },
  createFormExport: { format: 'csv' },
  exportPerson: { email: 'ann@example.com' },
  inviteSigner: { role: 'witness', email: 'will@example.com', name: 'Will' },
  createAmendment: { changes: { age: 8 }, statement: null, reason: 'A birthday', requested_by: 'Ann' },
  submitForm: {
    form_data: { name: 'Ann', age: 7, colours: ['red'], more: { deep: [1] } },
    attachments: [
      { name: 'a.txt', content: 'YWJj' },
      { fileName: 'b.txt', contentType: 'text/plain', content: 'YWI', field: 'file' },
    ],
    signature: { confirmed: true, name: 'Ann', method: 'typed', image: null },
    form_version: 1,
  },
  ...DASHBOARD_SAMPLES,
};

export const BODY_LIMITS: Record<string, number> = {
  createSubscribers: 10 * MB,
  createCampaignMailing: 4 * MB,
  updateCampaignMailing: 4 * MB,
  replaceCampaignMailing: 4 * MB,
  previewCampaignMailing: 4 * MB,
  createDripCampaign: 4 * MB,
  updateDripCampaign: 4 * MB,
  replaceDripCampaign: 4 * MB,
  sendMessage: LARGEST,
  sendBulkMessages: LARGEST,
  sendTemplatedMessage: LARGEST,
  scheduleMessage: LARGEST,
  createForm: 4 * MB,
  updateForm: 4 * MB,
  previewForm: 4 * MB,
  importQuestionnaire: 4 * MB,
  createAmendment: 4 * MB,
  submitForm: 250 * MB,
};

/** What needs no key. */
export const PUBLIC = new Set(['submitForm', 'setUpUser', 'signIn', 'forgetPassword', 'resetPassword']);

/** What also takes a form. */
export const TAKES_FORMS = new Set([
  'createTemplate',
  'updateTemplate',
  'replaceTemplate',
  'createWebhookEndpoint',
  'updateWebhookEndpoint',
  'replaceWebhookEndpoint',
]);

/** Changes of which an empty one is a change of nothing. */
export const TAKES_NOTHING = new Set([
  'setRetention',
  'updateTemplate',
  'replaceTemplate',
  'previewTemplate',
  'sendTestWebhook',
  'updateWebhookEndpoint',
  'replaceWebhookEndpoint',
  'updateWebhook',
  'updateEmailSettings',
  'updateSendingDomain',
  'updateForm',
  'updateFormPage',
  'changeWork',
  'updateSubscriptionList',
  'replaceSubscriptionList',
  'searchSubscribers',
  'updateCustomFieldType',
  'updateDynamicList',
  'replaceDynamicList',
  'startDripCampaign',
  'resumeDripCampaign',
]);

/** What may come without a body. */
export const NEEDS_NO_BODY = new Set(['sendTestWebhook', 'startDripCampaign', 'resumeDripCampaign']);

/** What is done once under an Idempotency-Key. */
export const IDEMPOTENT = new Set([
  'sendMessage',
  'sendBulkMessages',
  'sendTemplatedMessage',
  'scheduleMessage',
  'createTemplate',
  'createWebhookEndpoint',
  'createWebhook',
  'createSuppression',
  'createSendingDomain',
  'createTlsException',
  'createSubscriber',
  'createSubscribers',
  'createSubscription',
  'subscribePeople',
  'unsubscribePeople',
  'subscribeSegment',
  'unsubscribeSegment',
  'optInPeople',
  'optOutPeople',
  'exportSubscribers',
  'exportDynamicList',
  'receiveForm',
  'createDripEvent',
  'createDripEnrollments',
  'createSubscriptionList',
  'createCustomFieldType',
  'createDynamicList',
  'createDripCampaign',
  'copyDripCampaign',
  'startDripCampaign',
  'createCampaignMailing',
  'sendCampaignMailing',
  'sendTestMailing',
  'moveDripCampaign',
  'scheduleCampaignMailing',
  'createForm',
  'copyForm',
  'importQuestionnaire',
  'createAmendment',
  'createFormExport',
  'submitForm',
]);
