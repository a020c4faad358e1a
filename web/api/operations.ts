// Written by `npm run docs` from docs/api/openapi.json.

export const ADDRESSES = {
  addIncidentEntry: 'POST /app/api/incidents/{id}/entries',
  addInstallationIncidentEntry: 'POST /app/api/operator/incidents/{id}/entries',
  addPasskey: 'POST /app/api/factors/passkeys',
  addTotp: 'POST /app/api/factors/totp',
  approveEmergencyAccess: 'POST /app/api/break_glass/{id}/approve',
  archiveForm: 'POST /v1/forms/api/forms/{id}/archive',
  askForAddress: 'POST /app/api/me/address',
  askForBreakGlass: 'POST /app/api/operator/break_glass',
  askForUnansweredMessage: 'POST /app/api/unanswered_message',
  beginPasskey: 'POST /app/api/factors/passkeys/options',
  beginSignInWithPasskey: 'POST /app/api/sign_in/passkey/options',
  beginStepUpWithPasskey: 'POST /app/api/step_up/passkey/options',
  cancelCampaignMailingSend: 'POST /v1/marketing/campaign_mailing_sends/{id}/cancel',
  cancelScheduledMessage: 'POST /v1/email/schedule/{id}/cancel',
  changeAddress: 'POST /app/api/me/address/confirm',
  changeManyWorks: 'POST /v1/forms/api/forms/{id}/submissions/work',
  changeMemberRole: 'PATCH /app/api/team/{id}',
  changePassword: 'POST /app/api/password',
  changeWork: 'PATCH /v1/forms/api/forms/{id}/submissions/{sid}/work',
  checkForm: 'GET /v1/forms/api/forms/{id}/check',
  checkSendingDomain: 'POST /v1/email/sending_domains/{id}/check',
  closeCustomer: 'POST /app/api/customer/close',
  completeDripCampaign: 'POST /v1/marketing/drip_campaigns/{id}/complete',
  confirmTotp: 'POST /app/api/factors/totp/confirm',
  copyDripCampaign: 'POST /v1/marketing/drip_campaigns/{id}/copy',
  copyForm: 'POST /v1/forms/api/forms/copy',
  countDynamicList: 'POST /v1/marketing/dynamic_lists/count',
  countSubscribed: 'GET /v1/marketing/subscribers/subscribed_count',
  createAmendment: 'POST /v1/forms/api/forms/{id}/submissions/{sid}/amendments',
  createApiKey: 'POST /app/api/api_keys',
  createCampaignMailing: 'POST /v1/marketing/campaign_mailings',
  createCustomer: 'POST /app/api/operator/customers',
  createCustomFieldType: 'POST /v1/marketing/subscriber_custom_field_types',
  createDripCampaign: 'POST /v1/marketing/drip_campaigns',
  createDripEnrollments: 'POST /v1/marketing/drip_campaigns/{id}/enrollments',
  createDripEvent: 'POST /v1/marketing/drip_events',
  createDynamicList: 'POST /v1/marketing/dynamic_lists',
  createForm: 'POST /v1/forms/api/forms',
  createFormExport: 'POST /v1/forms/api/forms/{id}/export_jobs',
  createFormLinks: 'POST /v1/forms/api/forms/{id}/links',
  createImport: 'POST /v1/marketing/imports',
  createIncident: 'POST /app/api/incidents',
  createInstallationIncident: 'POST /app/api/operator/incidents',
  createNote: 'POST /v1/forms/api/forms/{id}/submissions/{sid}/notes',
  createSendingDomain: 'POST /v1/email/sending_domains',
  createSubscriber: 'POST /v1/marketing/subscribers',
  createSubscribers: 'POST /v1/marketing/subscribers_bulk_create',
  createSubscription: 'POST /v1/marketing/subscriptions',
  createSubscriptionList: 'POST /v1/marketing/subscription_lists',
  createSuppression: 'POST /v1/email/suppressions',
  createTemplate: 'POST /v1/email/dynamic_templates',
  createTlsException: 'POST /v1/email/tls_exceptions',
  createWebhook: 'POST /v1/webhooks/endpoints',
  createWebhookEndpoint: 'POST /v1/email/webhook_endpoints',
  decideCampaignMailingSend: 'POST /v1/marketing/campaign_mailing_sends/{id}/decide',
  deleteCampaignMailings: 'DELETE /v1/marketing/campaign_mailings_bulk_delete',
  deleteCustomFieldType: 'DELETE /v1/marketing/subscriber_custom_field_types/{id}',
  deleteDripCampaign: 'DELETE /v1/marketing/drip_campaigns/{id}',
  deleteDripEnrollment: 'DELETE /v1/marketing/drip_campaigns/{id}/enrollments/{enrollment_id}',
  deleteDynamicList: 'DELETE /v1/marketing/dynamic_lists/{id}',
  deleteForm: 'DELETE /v1/forms/api/forms/{id}',
  deleteFormLink: 'DELETE /v1/forms/api/forms/{id}/links/{lid}',
  deleteSendingDomain: 'DELETE /v1/email/sending_domains/{id}',
  deleteSubmission: 'DELETE /v1/forms/api/forms/{id}/submissions/{sid}',
  deleteSubscriber: 'DELETE /v1/marketing/subscribers/{id}',
  deleteSubscribers: 'DELETE /v1/marketing/subscribers_bulk_delete',
  deleteSubscription: 'DELETE /v1/marketing/subscriptions/{id}',
  deleteSubscriptionList: 'DELETE /v1/marketing/subscription_lists/{id}',
  deleteSuppression: 'DELETE /v1/email/suppressions',
  deleteTemplate: 'DELETE /v1/email/dynamic_templates/{id}',
  deleteTlsException: 'DELETE /v1/email/tls_exceptions/{id}',
  deleteWebhook: 'DELETE /v1/webhooks/endpoints/{id}',
  deleteWebhookEndpoint: 'DELETE /v1/email/webhook_endpoints/{id}',
  diffFormVersions: 'GET /v1/forms/api/forms/{id}/versions/diff',
  dismissChecklist: 'POST /app/api/home/checklist/dismiss',
  endBreakGlass: 'POST /app/api/operator/break_glass/{id}/end',
  endEmergencyAccess: 'POST /app/api/break_glass/{id}/end',
  endFormExport: 'DELETE /v1/forms/api/forms/export_jobs/{jid}',
  endOtherSessions: 'POST /app/api/sessions/end_others',
  endOwnSession: 'DELETE /app/api/sessions/{id}',
  enterBreakGlass: 'POST /app/api/operator/break_glass/{id}/enter',
  explainCampaignMailing: 'GET /v1/marketing/campaign_mailings/{id}/explain',
  explainDripCampaign: 'GET /v1/marketing/drip_campaigns/{id}/explain',
  explainDynamicList: 'GET /v1/marketing/dynamic_lists/{id}/explain',
  explainRoute: 'GET /v1/email/route',
  exportAuditLog: 'GET /app/api/audit_log/csv',
  exportCampaignMailingEvidence: 'GET /v1/marketing/campaign_mailing_deliveries/{id}/evidence',
  exportDeidentifiedCsv: 'GET /v1/forms/api/forms/{id}/submissions/deidentified-csv',
  exportDeliveriesTable: 'GET /v1/marketing/analytics/campaign_mailing_deliveries_table/csv',
  exportDynamicList: 'POST /v1/marketing/export_dynamic_list_csv',
  exportEvidence: 'GET /v1/email/message_log/{id}/evidence',
  exportImportRejects: 'GET /v1/marketing/imports/{id}/rejects/csv',
  exportIncident: 'GET /app/api/incidents/{id}/export',
  exportIncidentCsv: 'GET /app/api/incidents/{id}/individuals_csv',
  exportLinkClickers: 'GET /v1/marketing/analytics/subscribers_by_tracking_link/csv',
  exportLinksByUrl: 'GET /v1/marketing/analytics/tracking_links_by_unique_link/csv',
  exportPerson: 'POST /v1/forms/api/forms/people/export',
  exportQuestionnaire: 'GET /v1/forms/api/forms/{id}/fhir/Questionnaire',
  exportQuestionnaireResponse: 'GET /v1/forms/api/forms/{id}/submissions/{sid}/fhir/QuestionnaireResponse',
  exportSendsTable: 'GET /v1/marketing/analytics/campaign_mailing_sends_table/csv',
  exportSendTotals: 'GET /v1/marketing/analytics/campaign_mailing_send_totals/csv',
  exportSubmissionCsv: 'GET /v1/forms/api/forms/{id}/submissions/submission-csv/{sid}',
  exportSubmissionPdf: 'GET /v1/forms/api/forms/{id}/submissions/{sid}/submission-pdf',
  exportSubmissionsCsv: 'GET /v1/forms/api/forms/{id}/submissions/submission-csv',
  exportSubmissionsXlsx: 'GET /v1/forms/api/forms/{id}/submissions/submission-xlsx',
  exportSubscribers: 'POST /v1/marketing/subscribers_export_csv',
  forgetPassword: 'POST /app/api/password/forgot',
  importQuestionnaire: 'POST /v1/forms/api/forms/fhir/Questionnaire',
  inviteMember: 'POST /app/api/team',
  inviteMemberAgain: 'POST /app/api/team/{id}/invite_again',
  inviteSigner: 'POST /v1/forms/api/forms/{id}/submissions/{sid}/signers',
  leaveBreakGlass: 'POST /app/api/operator/break_glass/leave',
  listAgreements: 'GET /app/api/agreements',
  listAmendments: 'GET /v1/forms/api/forms/{id}/submissions/{sid}/amendments',
  listApiKeys: 'GET /app/api/api_keys',
  listAuditActions: 'GET /app/api/audit_log/actions',
  listAuditLog: 'GET /app/api/audit_log',
  listBreakGlass: 'GET /app/api/operator/break_glass',
  listBulkJobs: 'GET /v1/marketing/bulk_jobs',
  listCampaignMailingDeliveries: 'GET /v1/marketing/campaign_mailing_deliveries',
  listCampaignMailings: 'GET /v1/marketing/campaign_mailings',
  listCampaignMailingSends: 'GET /v1/marketing/campaign_mailing_sends',
  listCustomers: 'GET /app/api/operator/customers',
  listCustomFieldTypes: 'GET /v1/marketing/subscriber_custom_field_types',
  listDestructions: 'GET /v1/forms/api/forms/destructions',
  listDisclosures: 'GET /v1/forms/api/forms/{id}/submissions/{sid}/disclosures',
  listDripCampaigns: 'GET /v1/marketing/drip_campaigns',
  listDripCampaignVersions: 'GET /v1/marketing/drip_campaigns/{id}/versions',
  listDripEnrollments: 'GET /v1/marketing/drip_campaigns/{id}/enrollments',
  listDynamicLists: 'GET /v1/marketing/dynamic_lists',
  listEmergencyAccess: 'GET /app/api/break_glass',
  listEvents: 'GET /v1/email/events',
  listFormExports: 'GET /v1/forms/api/forms/export_jobs',
  listFormLinks: 'GET /v1/forms/api/forms/{id}/links',
  listForms: 'GET /v1/forms/api/forms',
  listFormVersions: 'GET /v1/forms/api/forms/{id}/versions',
  listHolds: 'GET /app/api/holds',
  listImportRejects: 'GET /v1/marketing/imports/{id}/rejects',
  listImports: 'GET /v1/marketing/imports',
  listIncidents: 'GET /app/api/incidents',
  listInstallationIncidents: 'GET /app/api/operator/incidents',
  listInstallationReviews: 'GET /app/api/operator/reviews',
  listLists: 'GET /v1/marketing/lists',
  listMessages: 'GET /v1/email/message_log',
  listNodes: 'GET /app/api/operator/nodes',
  listNotes: 'GET /v1/forms/api/forms/{id}/submissions/{sid}/notes',
  listOwnSessions: 'GET /app/api/sessions',
  listReviews: 'GET /app/api/reviews',
  listSendingDomains: 'GET /v1/email/sending_domains',
  listSideJobs: 'GET /app/api/operator/jobs',
  listSigners: 'GET /v1/forms/api/forms/{id}/submissions/{sid}/signers',
  listSubmissions: 'GET /v1/forms/api/forms/{id}/submissions',
  listSubscribers: 'GET /v1/marketing/subscribers',
  listSubscriptionLists: 'GET /v1/marketing/subscription_lists',
  listSubscriptions: 'GET /v1/marketing/subscriptions',
  listSuppressions: 'GET /v1/email/suppressions',
  listTeam: 'GET /app/api/team',
  listTemplates: 'GET /v1/email/dynamic_templates',
  listTemplateVersions: 'GET /v1/email/dynamic_templates/{id}/versions',
  listTlsExceptions: 'GET /v1/email/tls_exceptions',
  listTrackingLinks: 'GET /v1/marketing/tracking_links',
  listWebhookDeliveries: 'GET /v1/webhooks/endpoints/{id}/deliveries',
  listWebhookEndpoints: 'GET /v1/email/webhook_endpoints',
  listWebhooks: 'GET /v1/webhooks/endpoints',
  makeRecoveryCodes: 'POST /app/api/factors/recovery_codes',
  moveDripCampaign: 'POST /v1/marketing/drip_campaigns/{id}/move',
  moveScheduledMessage: 'PATCH /v1/email/schedule/{id}',
  openBreakGlass: 'POST /app/api/operator/break_glass/{id}/open',
  optInPeople: 'POST /v1/marketing/subscriptions/bulk_global_subscribe',
  optOutPeople: 'POST /v1/marketing/subscriptions/bulk_global_unsubscribe',
  pauseCampaignMailingSend: 'POST /v1/marketing/campaign_mailing_sends/{id}/pause',
  pauseDripCampaign: 'POST /v1/marketing/drip_campaigns/{id}/pause',
  previewCampaignMailing: 'POST /v1/marketing/campaign_mailings/preview',
  previewForm: 'POST /v1/forms/api/forms/preview',
  previewTemplate: 'POST /v1/email/dynamic_templates/{id}/preview',
  publishDripCampaign: 'POST /v1/marketing/drip_campaigns/{id}/publish',
  readAgreement: 'GET /app/api/agreement',
  readAgreementPdf: 'GET /app/api/agreement/pdf',
  readAttachment: 'GET /v1/forms/api/forms/{id}/submissions/{sid}/attachments/{aid}',
  readAuditVerification: 'GET /app/api/audit_log/verification',
  readBulkJob: 'GET /v1/marketing/bulk_jobs/{bid}',
  readCampaignMailing: 'GET /v1/marketing/campaign_mailings/{id}',
  readCampaignMailingSend: 'GET /v1/marketing/campaign_mailing_sends/{id}',
  readCertificate: 'GET /v1/forms/api/forms/{id}/submissions/{sid}/certificate',
  readCurrentCustomer: 'GET /v1/marketing/current_customer',
  readCustomer: 'GET /app/api/customer',
  readDeliveriesTable: 'GET /v1/marketing/analytics/campaign_mailing_deliveries_table',
  readDestruction: 'GET /v1/forms/api/forms/destructions/{id}',
  readDripCampaign: 'GET /v1/marketing/drip_campaigns/{id}',
  readDripCampaignVersion: 'GET /v1/marketing/drip_campaigns/{id}/versions/{version}',
  readDripEnrollment: 'GET /v1/marketing/drip_campaigns/{id}/enrollments/{enrollment_id}',
  readDripStatistics: 'GET /v1/marketing/drip_campaigns/{id}/statistics',
  readDripWebhookSecret: 'GET /v1/marketing/drip_campaigns/{id}/webhook_secret',
  readDynamicList: 'GET /v1/marketing/dynamic_lists/{id}',
  readEmailSettings: 'GET /v1/email/settings',
  readExportFile: 'GET /v1/marketing/bulk_jobs/{bid}/file',
  readFactors: 'GET /app/api/factors',
  readForm: 'GET /v1/forms/api/forms/{id}',
  readFormActivity: 'GET /v1/forms/api/forms/{id}/activity',
  readFormExport: 'GET /v1/forms/api/forms/export_jobs/{jid}',
  readFormExportFile: 'GET /v1/forms/api/forms/export_jobs/{jid}/file',
  readFormPage: 'GET /v1/forms/api/forms/{id}/page',
  readFormRetention: 'GET /v1/forms/api/forms/{id}/retention',
  readFormStats: 'GET /v1/forms/api/forms/stats',
  readFormVersion: 'GET /v1/forms/api/forms/{id}/versions/{version}',
  readHealth: 'GET /app/api/operator/health',
  readHome: 'GET /app/api/home',
  readImport: 'GET /v1/marketing/imports/{id}',
  readIncident: 'GET /app/api/incidents/{id}',
  readInstallationIncident: 'GET /app/api/operator/incidents/{id}',
  readInstallationReview: 'GET /app/api/operator/reviews/{id}',
  readLinkClickers: 'GET /v1/marketing/analytics/subscribers_by_tracking_link',
  readLinksByUrl: 'GET /v1/marketing/analytics/tracking_links_by_unique_link',
  readListGrowth: 'GET /v1/marketing/subscription_lists/{id}/growth',
  readMessage: 'GET /v1/email/message_log/{id}',
  readOpenWork: 'GET /v1/forms/api/forms/work',
  readOversight: 'GET /app/api/oversight',
  readPublicForm: 'GET /v1/forms/public/form_data/{id}',
  readPublicFormSchema: 'GET /v1/forms/public/form_data/{id}/schema',
  readQueues: 'GET /app/api/operator/queues',
  readReceipt: 'GET /v1/email/message_receipt',
  readRetention: 'GET /app/api/retention',
  readReview: 'GET /app/api/reviews/{id}',
  readSandbox: 'GET /v1/email/sandbox/messages',
  readScheduledMessage: 'GET /v1/email/schedule/{id}',
  readSendingDomain: 'GET /v1/email/sending_domains/{id}',
  readSendsTable: 'GET /v1/marketing/analytics/campaign_mailing_sends_table',
  readSendTotals: 'GET /v1/marketing/analytics/campaign_mailing_send_totals',
  readSession: 'GET /app/api/session',
  readStorage: 'GET /app/api/operator/storage',
  readSubmission: 'GET /v1/forms/api/forms/{id}/submissions/{sid}',
  readSubscriber: 'GET /v1/marketing/subscribers/{id}',
  readSubscriberStory: 'GET /v1/marketing/subscribers/{id}/story',
  readSubscription: 'GET /v1/marketing/subscriptions/{id}',
  readSubscriptionList: 'GET /v1/marketing/subscription_lists/{id}',
  readTemplate: 'GET /v1/email/dynamic_templates/{id}',
  readWebhook: 'GET /v1/webhooks/endpoints/{id}',
  readWebhookDelivery: 'GET /v1/webhooks/endpoints/{id}/deliveries/{delivery_id}',
  readWebhookEndpoint: 'GET /v1/email/webhook_endpoints/{id}',
  readWork: 'GET /v1/forms/api/forms/{id}/submissions/{sid}/work',
  receiveForm: 'POST /v1/marketing/webhooks/receive_paubox_form',
  releaseHold: 'POST /app/api/holds/{id}/release',
  removeMember: 'DELETE /app/api/team/{id}',
  removePasskey: 'DELETE /app/api/factors/passkeys/{id}',
  removeTotp: 'DELETE /app/api/factors/totp',
  renameCustomer: 'PATCH /app/api/customer',
  replaceCampaignMailing: 'PUT /v1/marketing/campaign_mailings/{id}',
  replaceDripCampaign: 'PUT /v1/marketing/drip_campaigns/{id}',
  replaceDynamicList: 'PUT /v1/marketing/dynamic_lists/{id}',
  replaceSubscriber: 'PUT /v1/marketing/subscribers/{id}',
  replaceSubscriptionList: 'PUT /v1/marketing/subscription_lists/{id}',
  replaceTemplate: 'PUT /v1/email/dynamic_templates/{id}',
  replaceWebhookEndpoint: 'PUT /v1/email/webhook_endpoints/{id}',
  replayWebhookDeliveries: 'POST /v1/webhooks/endpoints/{id}/replay',
  resetMemberFactors: 'POST /app/api/team/{id}/reset_factors',
  resetPassword: 'POST /app/api/password/reset',
  resumeCampaignMailingSend: 'POST /v1/marketing/campaign_mailing_sends/{id}/resume',
  resumeDripCampaign: 'POST /v1/marketing/drip_campaigns/{id}/resume',
  retrySideJob: 'POST /app/api/operator/jobs/{id}/retry',
  revokeApiKey: 'DELETE /app/api/api_keys/{id}',
  rotateSendingDomainKeys: 'POST /v1/email/sending_domains/{id}/rotate_keys',
  rotateWebhookSecret: 'POST /v1/webhooks/endpoints/{id}/rotate_secret',
  scheduleCampaignMailing: 'POST /v1/marketing/campaign_mailing_schedules',
  scheduleMessage: 'POST /v1/email/schedule',
  searchSubscribers: 'POST /v1/marketing/subscribers/search',
  sendBulkMessages: 'POST /v1/email/bulk_messages',
  sendCampaignMailing: 'POST /v1/marketing/campaign_mailing_sends',
  sendMessage: 'POST /v1/email/messages',
  sendTemplatedMessage: 'POST /v1/email/templated_messages',
  sendTestEmail: 'GET /v1/marketing/campaign_mailings/{id}/send_test_email',
  sendTestMailing: 'POST /v1/marketing/campaign_mailings/{id}/send_test_email',
  sendTestWebhook: 'POST /v1/webhooks/endpoints/{id}/test',
  setHold: 'POST /app/api/holds',
  setOversight: 'PUT /app/api/oversight',
  setRetention: 'PUT /app/api/retention',
  setUpUser: 'POST /app/api/setup',
  showSubmission: 'GET /v1/forms/api/forms/{id}/submissions/{sid}/page',
  signAgreement: 'POST /app/api/agreement/sign',
  signIn: 'POST /app/api/sign_in',
  signInstallationReview: 'POST /app/api/operator/reviews/{id}/sign',
  signInWithPasskey: 'POST /app/api/sign_in/passkey',
  signInWithRecoveryCode: 'POST /app/api/sign_in/recovery',
  signInWithTotp: 'POST /app/api/sign_in/totp',
  signOut: 'POST /app/api/sign_out',
  signReview: 'POST /app/api/reviews/{id}/sign',
  simulateDripCampaign: 'POST /v1/marketing/drip_campaigns/{id}/simulate',
  startDripCampaign: 'POST /v1/marketing/drip_campaigns/{id}/start',
  startImport: 'POST /v1/marketing/imports/{id}/start',
  stepUpWithPasskey: 'POST /app/api/step_up/passkey',
  stepUpWithTotp: 'POST /app/api/step_up/totp',
  submitForm: 'POST /v1/forms/api/forms/{id}/submissions',
  subscribePeople: 'POST /v1/marketing/subscriptions/subscribe',
  subscribeSegment: 'POST /v1/marketing/subscriptions/dynamic_bulk_subscribe',
  takeBackNote: 'DELETE /v1/forms/api/forms/{id}/submissions/{sid}/notes/{nid}',
  unarchiveForm: 'POST /v1/forms/api/forms/{id}/unarchive',
  undoImport: 'POST /v1/marketing/imports/{id}/undo',
  unscheduleCampaignMailing: 'DELETE /v1/marketing/campaign_mailing_schedules/{jid}',
  unsubscribePeople: 'POST /v1/marketing/subscriptions/unsubscribe',
  unsubscribeSegment: 'POST /v1/marketing/subscriptions/dynamic_bulk_unsubscribe',
  updateCampaignMailing: 'PATCH /v1/marketing/campaign_mailings/{id}',
  updateCustomFieldType: 'PATCH /v1/marketing/subscriber_custom_field_types/{id}',
  updateDripCampaign: 'PATCH /v1/marketing/drip_campaigns/{id}',
  updateDynamicList: 'PATCH /v1/marketing/dynamic_lists/{id}',
  updateEmailSettings: 'PATCH /v1/email/settings',
  updateForm: 'PUT /v1/forms/api/forms/{id}',
  updateFormPage: 'PUT /v1/forms/api/forms/{id}/page',
  updateFormRetention: 'PUT /v1/forms/api/forms/{id}/retention',
  updateIncident: 'PUT /app/api/incidents/{id}',
  updateInstallationIncident: 'PUT /app/api/operator/incidents/{id}',
  updateMe: 'PATCH /app/api/me',
  updateSendingDomain: 'PATCH /v1/email/sending_domains/{id}',
  updateSubscriber: 'PATCH /v1/marketing/subscribers/{id}',
  updateSubscriptionList: 'PATCH /v1/marketing/subscription_lists/{id}',
  updateTemplate: 'PATCH /v1/email/dynamic_templates/{id}',
  updateWebhook: 'PATCH /v1/webhooks/endpoints/{id}',
  updateWebhookEndpoint: 'PATCH /v1/email/webhook_endpoints/{id}',
  verifyAuditLog: 'POST /app/api/audit_log/verification',
  whoRead: 'GET /app/api/who_read',
  withdrawSigner: 'DELETE /v1/forms/api/forms/{id}/submissions/{sid}/signers/{signer}',
} as const;

export interface Operations {
  addIncidentEntry: {
    params: { id: string | number };
    query: undefined;
    body: { text: string; state?: ("open" | "contained" | "closed") | undefined };
    reply: { id: string; severity: ("low" | "medium" | "high" | "critical"); state: ("open" | "contained" | "closed"); discovered_at: string; breach_from: (string | null); breach_to: (string | null); notice_due_at: string; days_left: number; opened_at: string; closed_at: (string | null); scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null); what_happened: string; information: string; steps: string; doing: string; contact: string; timeline: Array<{ at: string; author: { kind: string; id: string }; state: ("open" | "contained" | "closed"); text: string }> };
  };
  addInstallationIncidentEntry: {
    params: { id: string | number };
    query: undefined;
    body: { text: string; state?: ("open" | "contained" | "closed") | undefined };
    reply: { id: string; severity: ("low" | "medium" | "high" | "critical"); state: ("open" | "contained" | "closed"); discovered_at: string; breach_from: (string | null); breach_to: (string | null); notice_due_at: string; days_left: number; opened_at: string; closed_at: (string | null); scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null); what_happened: string; information: string; steps: string; doing: string; contact: string; timeline: Array<{ at: string; author: { kind: string; id: string }; state: ("open" | "contained" | "closed"); text: string }> };
  };
  addPasskey: {
    params: undefined;
    query: undefined;
    body: { name: string; credential: { id: string; rawId: string; type: ("public-key"); response: { clientDataJSON: string; attestationObject: string; transports?: Array<string> | undefined }; clientExtensionResults: Record<string, unknown> } };
    reply: { state: ("open"); csrf: string; recovery_codes: (Array<string> | null) };
  };
  addTotp: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { secret: string; uri: string; qr_svg: string };
  };
  approveEmergencyAccess: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { id: string; customer: { id: number; name: string }; operator: { id: string; email: string }; reason: (string | null); minutes: number; state: ("asked" | "lapsed" | "open" | "expired" | "ended"); asked_at: string; opened_at: (string | null); opened_by: (("operator" | "customer" | "code") | null); expires_at: (string | null); ended_at: (string | null); ended_by: (("operator" | "customer" | "cli") | null) };
  };
  archiveForm: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { detail: string };
  };
  askForAddress: {
    params: undefined;
    query: undefined;
    body: { email: string; password: string };
    reply: { until: string; code: (string | null) };
  };
  askForBreakGlass: {
    params: undefined;
    query: undefined;
    body: { customer_id: number; reason: string; minutes: number };
    reply: { id: string };
  };
  askForUnansweredMessage: {
    params: undefined;
    query: undefined;
    body: { operation: ("sendMessage" | "scheduleMessage"); key: string };
    reply: { state: ("accepted" | "refused" | "unknown"); id: (string | null) };
  };
  beginPasskey: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { rp: { name: string; id?: string | undefined }; user: { id: string; name: string; displayName: string }; challenge: string; pubKeyCredParams: Array<{ alg: number; type: string }>; timeout?: number | undefined; excludeCredentials?: Array<{ id: string; type: string; transports?: Array<string> | undefined }> | undefined; authenticatorSelection?: { residentKey?: string | undefined; requireResidentKey?: boolean | undefined; userVerification?: string | undefined } | undefined; attestation?: string | undefined };
  };
  beginSignInWithPasskey: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { challenge: string; timeout?: number | undefined; rpId?: string | undefined; allowCredentials?: Array<{ id: string; type: string; transports?: Array<string> | undefined }> | undefined; userVerification?: string | undefined };
  };
  beginStepUpWithPasskey: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { challenge: string; timeout?: number | undefined; rpId?: string | undefined; allowCredentials?: Array<{ id: string; type: string; transports?: Array<string> | undefined }> | undefined; userVerification?: string | undefined };
  };
  cancelCampaignMailingSend: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("campaign_mailing_send"); attributes: { campaign_mailing_id: string; version: number; jid: string; state: string; subscription_list_id: (string | null); dynamic_list_id: (string | null); sender_email: string; from_name: (string | null); subject: (string | null); send_at: string; started_at: (string | null); finished_at: (string | null); created_at: string; people: number; sent: number; delivered: number; soft_bounced: number; hard_bounced: number; suppressed: number; excluded: number; uncertain: number; cancelled: number; viewed: number; clicked: number; unsubscribed: number; global_unsubscribed: number } } };
  };
  cancelScheduledMessage: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { sourceTrackingId: string; scheduledAt: string; state: ("pending" | "sent" | "cancelled" | "failed"); messageId: number; sentAt: (string | null); cancelledAt: (string | null); errorMessage: (string | null); data: ("Cancelled") };
  };
  changeAddress: {
    params: undefined;
    query: undefined;
    body: { email: string; until: string; code: string };
    reply: Record<string, unknown>;
  };
  changeManyWorks: {
    params: { id: string | number };
    query: undefined;
    body: { ids: Array<string>; work_state?: ("new" | "in_work" | "done") | undefined; assignee_id?: (string | null) | undefined };
    reply: { changed: number };
  };
  changeMemberRole: {
    params: { id: string | number };
    query: undefined;
    body: { role: ("owner" | "admin" | "editor" | "reader") };
    reply: { id: string; name: string; email: string; role: string; state: ("invited" | "active" | "removed"); created_at: string; removed_at: (string | null); last_sign_in_at: (string | null); has_factor: boolean; keys: number };
  };
  changePassword: {
    params: undefined;
    query: undefined;
    body: { current: string; password: string };
    reply: Record<string, unknown>;
  };
  changeWork: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: { work_state?: ("new" | "in_work" | "done") | undefined; assignee_id?: (string | null) | undefined };
    reply: { data: { work_state: string; assignee_id: (string | null); note_count: number } };
  };
  checkForm: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: Array<{ severity: ("error" | "warning"); field: (string | null); words: string }> };
  };
  checkSendingDomain: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; domain: string; state: ("pending" | "verified" | "failing"); verified_at: (string | null); checked_at: (string | null); missing_since: (string | null); return_path: boolean; warm_up: boolean; created_at: string; records: Array<{ purpose: ("ownership" | "dkim" | "spf" | "dmarc" | "return_path"); type: ("TXT" | "CNAME"); name: string; value: string; required: boolean; key: (("pending" | "active" | "retired") | null); removable_after: (string | null); status: ("unchecked" | "found" | "missing" | "differs" | "unanswered"); found: Array<string> }> } };
  };
  closeCustomer: {
    params: undefined;
    query: undefined;
    body: { confirm: string };
    reply: { keys: number; people: number; drips: number; sends: number; imports: number; jobs: number; scheduled: number; webhooks: number };
  };
  completeDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { drip_campaign_id: string; status: string } };
  };
  confirmTotp: {
    params: undefined;
    query: undefined;
    body: { code: string };
    reply: { state: ("open"); csrf: string; recovery_codes: (Array<string> | null) };
  };
  copyDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("drip_campaign"); attributes: { name: string; subscription_list_id: string; subscription_list_name: string; state: string; updated_at: string; start_trigger: string; subscriber_count: number; subscriber_completed_count: number; steps: Array<unknown>; drip_campaign_nodes: string; drip_campaign_tree_blob: string; outdated_steps: Array<string>; trigger: { form_id: (string | null); date: ({ field: string; every: string; days: number; time: string } | null) }; reentry: string; goal: unknown; time_zone: string; sender_email: (string | null); from_name: (string | null); reply_to: (string | null); version: number; live_version: (number | null); trial_version: (number | null); trial_share: (number | null); created_at: string; started_at: (string | null); paused_at: (string | null); completed_at: (string | null) } } };
  };
  copyForm: {
    params: undefined;
    query: undefined;
    body: { form_id: string; title: string };
    reply: { id: string; title: string; description: (string | null); form_html: (string | null); form_json: (Record<string, unknown> | null); form_css: (string | null); vanity_url: (string | null); version: number; active: boolean; customer_id: number; old_form_id: (number | null); recipient: (string | null); signable: boolean; signature_confirmation_label: (string | null); submission_count: number; type: (string | null); subscription_list_id: (string | null); deleted: boolean; archived: boolean; created_at: string; updated_at: string };
  };
  countDynamicList: {
    params: undefined;
    query: undefined;
    body: { name?: (string | null) | undefined; filters?: unknown | undefined; rule?: (string | null) | undefined; dynamic_list?: ({ name?: (string | null) | undefined; filters?: unknown | undefined; rule?: (string | null) | undefined } | null) | undefined };
    reply: { data: { count: number; complete: boolean; sample: Array<{ id: string; email: (string | null); full_name: string }>; filters: Array<Array<{ field: string; op: string; terms: Array<string> }>>; rule: string } };
  };
  countSubscribed: {
    params: undefined;
    query: { subscription_list_id?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: number };
  };
  createAmendment: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: { changes?: (Record<string, unknown> | null) | undefined; statement?: (string | null) | undefined; reason?: (string | null) | undefined; requested_by?: (string | null) | undefined };
    reply: { data: { id: string; at: string; by: { kind: string; id: string }; changes: (Record<string, unknown> | null); statement: (string | null); reason: (string | null); requested_by: (string | null); before_hash: string } };
  };
  createApiKey: {
    params: undefined;
    query: undefined;
    body: { name: string; mode: ("live" | "test"); scopes: Array<("forms" | "email" | "marketing")>; sending_domains?: Array<string> | undefined; expires_at?: (string | null) | undefined };
    reply: { id: string; key: string };
  };
  createCampaignMailing: {
    params: undefined;
    query: undefined;
    body: { campaign_mailing: { subject?: (string | null) | undefined; default_subject?: (string | null) | undefined; preheader?: (string | null) | undefined; from?: (string | null) | undefined; reply_to?: (string | null) | undefined; html_part?: (string | null) | undefined; text_part?: (string | null) | undefined; mjml_part?: (string | null) | undefined; blocks?: unknown | undefined; form_data?: unknown | undefined; template_type?: (string | null) | undefined } };
    reply: { data: { id: string } };
  };
  createCustomer: {
    params: undefined;
    query: undefined;
    body: { name: string; username: string; owner_email: string };
    reply: { id: number; setup_url?: string | undefined };
  };
  createCustomFieldType: {
    params: undefined;
    query: undefined;
    body: { name?: (string | null) | undefined; kind?: (string | null) | undefined; class?: (string | null) | undefined };
    reply: { data: { id: string; type: ("subscriber_custom_field_type"); attributes: { name: string; kind: string; class: string } } };
  };
  createDripCampaign: {
    params: undefined;
    query: undefined;
    body: { drip_campaign: { name?: (string | null) | undefined; subscription_list_id?: (string | number | null) | undefined; start_trigger?: (string | null) | undefined; form_id?: (string | null) | undefined; date?: ({ field: string; every?: (string | null) | undefined; days?: (number | null) | undefined; time?: (string | null) | undefined } | null) | undefined; steps?: unknown | undefined; drip_campaign_nodes?: unknown | undefined; drip_campaign_tree_blob?: unknown | undefined; reentry?: (string | null) | undefined; goal?: unknown | undefined; time_zone?: (string | null) | undefined; sender_email?: (string | null) | undefined; from_name?: (string | null) | undefined; reply_to?: (string | null) | undefined; publish_share?: (number | null) | undefined } };
    reply: { data: { id: string; type: ("drip_campaign"); attributes: { name: string; subscription_list_id: string; subscription_list_name: string; state: string; updated_at: string; start_trigger: string; subscriber_count: number; subscriber_completed_count: number; steps: Array<unknown>; drip_campaign_nodes: string; drip_campaign_tree_blob: string; outdated_steps: Array<string>; trigger: { form_id: (string | null); date: ({ field: string; every: string; days: number; time: string } | null) }; reentry: string; goal: unknown; time_zone: string; sender_email: (string | null); from_name: (string | null); reply_to: (string | null); version: number; live_version: (number | null); trial_version: (number | null); trial_share: (number | null); created_at: string; started_at: (string | null); paused_at: (string | null); completed_at: (string | null) } } };
  };
  createDripEnrollments: {
    params: { id: string | number };
    query: undefined;
    body: { subscriber_ids?: (Array<(string | number)> | null) | undefined; emails?: (Array<string> | null) | undefined; subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; filters?: unknown | undefined };
    reply: { data: ({ enrolled: Array<{ id: string; subscriber_id: string }>; left_out: Array<{ subscriber_id: string; reason: string }> } | { jid: string }) };
  };
  createDripEvent: {
    params: undefined;
    query: undefined;
    body: { event: string; subscriber_id?: ((string | number) | null) | undefined; subscriber_ids?: (Array<(string | number)> | null) | undefined; email?: (string | null) | undefined };
    reply: { data: { told: number } };
  };
  createDynamicList: {
    params: undefined;
    query: undefined;
    body: { name?: (string | null) | undefined; filters?: unknown | undefined; rule?: (string | null) | undefined; dynamic_list?: ({ name?: (string | null) | undefined; filters?: unknown | undefined; rule?: (string | null) | undefined } | null) | undefined };
    reply: { data: { id: string; type: ("dynamic_list"); attributes: { name: string; filters: Array<Array<{ field: string; op: string; terms: Array<string> }>>; rule: string; subscriber_count: (number | null); counted_at: (string | null); created_at: string; updated_at: string } } };
  };
  createForm: {
    params: undefined;
    query: undefined;
    body: { title: string; form_json: Record<string, unknown>; customer_id: (number | string); old_form_id?: (number | string | null) | undefined; description?: (string | null) | undefined; form_html?: (string | null) | undefined; form_css?: (string | null) | undefined; recipient?: (string | null) | undefined; signable?: (boolean | (0) | (1) | string | null) | undefined; signature_confirmation_label?: (string | null) | undefined; subscription_list_id?: (number | string | null) | undefined; type?: (string | null) | undefined; vanity_url?: (string | null) | undefined; active?: (boolean | (0) | (1) | string | null) | undefined; version?: (number | string | null) | undefined };
    reply: { id: string };
  };
  createFormExport: {
    params: { id: string | number };
    query: undefined;
    body: { format: ("csv" | "xlsx" | "pdf-zip" | "deidentified-csv" | "fhir-bundle") };
    reply: { data: { id: string; form_id: string; format: ("csv" | "xlsx" | "pdf-zip" | "deidentified-csv" | "fhir-bundle"); state: ("waiting" | "running" | "done" | "failed" | "cancelled" | "gone"); gone_because: (("expired" | "destroyed" | "person_removed" | "deleted") | null); rows_done: number; rows_total: number; file_name: (string | null); created_by: { kind: string; id: string }; created_at: string; finished_at: (string | null); kept_until: (string | null) } };
  };
  createFormLinks: {
    params: { id: string | number };
    query: undefined;
    body: { count: number; expires_at?: (string | null) | undefined; answers?: (Record<string, unknown> | null) | undefined };
    reply: { data: Array<{ id: string; url: string; expires_at: string }> };
  };
  createImport: {
    params: undefined;
    query: { subscription_list_id?: string | number | boolean | string[] | undefined; dry_run?: string | number | boolean | string[] | undefined; mapping?: string | number | boolean | string[] | undefined; encoding?: string | number | boolean | string[] | undefined; delimiter?: string | number | boolean | string[] | undefined; has_header?: string | number | boolean | string[] | undefined; consent_text?: string | number | boolean | string[] | undefined; start_drips?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: { id: string; type: ("import"); attributes: { state: string; dry_run: boolean; subscription_list_id: (string | null); columns: (Array<(string | null)> | null); encoding: (string | null); delimiter: (string | null); bytes: number; bytes_done: number; rows_done: number; created: number; updated: number; unchanged: number; skipped: number; opted_out: number; removed: number; restored: number; kept: number; held_subscriber_ids: Array<string>; failure: (string | null); created_at: string; finished_at: (string | null); undone_at: (string | null) } } };
  };
  createIncident: {
    params: undefined;
    query: undefined;
    body: { discovered_at: string; breach_from: (string | null); breach_to: (string | null); severity: ("low" | "medium" | "high" | "critical"); what_happened: string; information: string; steps: string; doing: string; contact: string; scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null) };
    reply: { id: string; severity: ("low" | "medium" | "high" | "critical"); state: ("open" | "contained" | "closed"); discovered_at: string; breach_from: (string | null); breach_to: (string | null); notice_due_at: string; days_left: number; opened_at: string; closed_at: (string | null); scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null); what_happened: string; information: string; steps: string; doing: string; contact: string; timeline: Array<{ at: string; author: { kind: string; id: string }; state: ("open" | "contained" | "closed"); text: string }> };
  };
  createInstallationIncident: {
    params: undefined;
    query: undefined;
    body: { discovered_at: string; breach_from: (string | null); breach_to: (string | null); severity: ("low" | "medium" | "high" | "critical"); what_happened: string; information: string; steps: string; doing: string; contact: string; scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null) };
    reply: { id: string; severity: ("low" | "medium" | "high" | "critical"); state: ("open" | "contained" | "closed"); discovered_at: string; breach_from: (string | null); breach_to: (string | null); notice_due_at: string; days_left: number; opened_at: string; closed_at: (string | null); scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null); what_happened: string; information: string; steps: string; doing: string; contact: string; timeline: Array<{ at: string; author: { kind: string; id: string }; state: ("open" | "contained" | "closed"); text: string }> };
  };
  createNote: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: { text: string };
    reply: { data: { id: string; at: string; by: { kind: string; id: string }; text: (string | null); taken_back_at: (string | null) } };
  };
  createSendingDomain: {
    params: undefined;
    query: undefined;
    body: { domain: string };
    reply: { data: { id: string; domain: string; state: ("pending" | "verified" | "failing"); verified_at: (string | null); checked_at: (string | null); missing_since: (string | null); return_path: boolean; warm_up: boolean; created_at: string; records: Array<{ purpose: ("ownership" | "dkim" | "spf" | "dmarc" | "return_path"); type: ("TXT" | "CNAME"); name: string; value: string; required: boolean; key: (("pending" | "active" | "retired") | null); removable_after: (string | null); status: ("unchecked" | "found" | "missing" | "differs" | "unanswered"); found: Array<string> }> } };
  };
  createSubscriber: {
    params: undefined;
    query: undefined;
    body: { subscriber: { email?: (string | null) | undefined; phone_number?: (string | null) | undefined; first_name?: (string | null) | undefined; last_name?: (string | null) | undefined; time_zone?: (string | null) | undefined; custom_fields?: (Array<Record<string, unknown>> | null) | undefined }; subscription_list_id?: (string | number | null) | undefined };
    reply: { data: { id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } } };
  };
  createSubscribers: {
    params: undefined;
    query: undefined;
    body: { subscribers: Array<{ email?: (string | null) | undefined; phone_number?: (string | null) | undefined; first_name?: (string | null) | undefined; last_name?: (string | null) | undefined; time_zone?: (string | null) | undefined; custom_fields?: (Array<Record<string, unknown>> | null) | undefined }>; subscription_list_id?: (string | number | null) | undefined };
    reply: { data: { num_subscribers_added: number } };
  };
  createSubscription: {
    params: undefined;
    query: undefined;
    body: { subscription: { subscription_list_id: (string | number); subscriber_id: (string | number) } };
    reply: { data: { id: string; type: ("subscription"); attributes: { subscription_list_id: string; subscriber_id: number; subscriber_uuid: string; pending: boolean; unsubscribed_at: (string | null); created_at: string } } };
  };
  createSubscriptionList: {
    params: undefined;
    query: undefined;
    body: ({ name?: (string | null) | undefined; double_opt_in?: (boolean | (0) | (1) | string | null) | undefined; consent_text?: (string | null) | undefined }) & ({ subscription_list?: { name?: (string | null) | undefined; double_opt_in?: (boolean | (0) | (1) | string | null) | undefined; consent_text?: (string | null) | undefined } | undefined });
    reply: { data: { id: string; type: ("subscription_list"); attributes: { name: string; is_default: boolean; subscriber_count: number; form_id: (string | null); double_opt_in: boolean; consent_text: (string | null); created_at: string; updated_at: string } } };
  };
  createSuppression: {
    params: undefined;
    query: undefined;
    body: { address: string; reason?: ("manual") | undefined };
    reply: { data: { address: string; reason: ("hard_bounce" | "complaint" | "manual" | "opt_out"); sourceTrackingId: (string | null); createdAt: string } };
  };
  createTemplate: {
    params: undefined;
    query: undefined;
    body: { name?: (string | null) | undefined; body?: (string | null) | undefined; subject?: (string | null) | undefined; strict?: (boolean | (0) | (1) | string | null) | undefined; allow_raw_html?: (boolean | (0) | (1) | string | null) | undefined; data?: { name?: (string | null) | undefined; body?: (string | null) | undefined; subject?: (string | null) | undefined; strict?: (boolean | (0) | (1) | string | null) | undefined; allow_raw_html?: (boolean | (0) | (1) | string | null) | undefined } | undefined };
    reply: { id: number; message: string; params: { name: string; body: { size: number; version: number } } };
  };
  createTlsException: {
    params: undefined;
    query: undefined;
    body: { domain: string };
    reply: { data: { id: string; domain: string; created_at: string } };
  };
  createWebhook: {
    params: undefined;
    query: undefined;
    body: { target_url: string; events: Array<string>; ordered?: boolean | undefined };
    reply: { data: { id: string; target_url: string; status: ("active" | "disabled"); events: Array<string>; ordered: boolean; failing: boolean; created_at: string; updated_at: string; signing_secret: string }; message: string };
  };
  createWebhookEndpoint: {
    params: undefined;
    query: undefined;
    body: { target_url: string; events: (Array<string> | string); signing_key?: (string | null) | undefined; api_key?: (string | null) | undefined; active?: (boolean | (0) | (1) | string | null) | undefined; ordered?: (boolean | (0) | (1) | string | null) | undefined };
    reply: { id: number; api_customer_id: number; target_url: string; events: Array<string>; active: boolean; ordered: boolean; failing: boolean; signing_key?: string | undefined; created_at: string; updated_at: string; data: { id: number; api_customer_id: number; target_url: string; events: Array<string>; active: boolean; ordered: boolean; failing: boolean; signing_key?: string | undefined; created_at: string; updated_at: string }; message?: string | undefined };
  };
  decideCampaignMailingSend: {
    params: { id: string | number };
    query: undefined;
    body: { decision: string };
    reply: { data: { id: string; type: ("campaign_mailing_send"); attributes: { campaign_mailing_id: string; version: number; jid: string; state: string; subscription_list_id: (string | null); dynamic_list_id: (string | null); sender_email: string; from_name: (string | null); subject: (string | null); send_at: string; started_at: (string | null); finished_at: (string | null); created_at: string; people: number; sent: number; delivered: number; soft_bounced: number; hard_bounced: number; suppressed: number; excluded: number; uncertain: number; cancelled: number; viewed: number; clicked: number; unsubscribed: number; global_unsubscribed: number } } };
  };
  deleteCampaignMailings: {
    params: undefined;
    query: undefined;
    body: { campaign_mailing_ids: Array<(string | number)> };
    reply: Record<string, unknown>;
  };
  deleteCustomFieldType: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  deleteDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  deleteDripEnrollment: {
    params: { id: string | number; enrollment_id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  deleteDynamicList: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  deleteForm: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { detail: string };
  };
  deleteFormLink: {
    params: { id: string | number; lid: string | number };
    query: undefined;
    body: undefined;
    reply: { detail: string };
  };
  deleteSendingDomain: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; domain: string; state: ("pending" | "verified" | "failing"); verified_at: (string | null); checked_at: (string | null); missing_since: (string | null); return_path: boolean; warm_up: boolean; created_at: string; records: Array<{ purpose: ("ownership" | "dkim" | "spf" | "dmarc" | "return_path"); type: ("TXT" | "CNAME"); name: string; value: string; required: boolean; key: (("pending" | "active" | "retired") | null); removable_after: (string | null); status: ("unchecked" | "found" | "missing" | "differs" | "unanswered"); found: Array<string> }> } };
  };
  deleteSubmission: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: undefined;
    reply: { detail: string };
  };
  deleteSubscriber: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  deleteSubscribers: {
    params: undefined;
    query: { subscriber_ids?: string | number | boolean | string[] | undefined; subscription_list_id?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: Record<string, unknown>;
  };
  deleteSubscription: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  deleteSubscriptionList: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { held_subscriber_ids?: Array<string> | undefined };
  };
  deleteSuppression: {
    params: undefined;
    query: { address: string | number | boolean | string[]; reason?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: { removed: number } };
  };
  deleteTemplate: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { message: string };
  };
  deleteTlsException: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; domain: string; created_at: string } };
  };
  deleteWebhook: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  deleteWebhookEndpoint: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { id: number; api_customer_id: number; target_url: string; events: Array<string>; active: boolean; ordered: boolean; failing: boolean; signing_key?: string | undefined; created_at: string; updated_at: string; data: { id: number; api_customer_id: number; target_url: string; events: Array<string>; active: boolean; ordered: boolean; failing: boolean; signing_key?: string | undefined; created_at: string; updated_at: string }; message?: string | undefined };
  };
  diffFormVersions: {
    params: { id: string | number };
    query: { from?: string | number | boolean | string[] | undefined; to?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { from: number; to: number; changes: Array<{ change: string; item: (string | null); label: (string | null); sentence: string; before: (string | null); after: (string | null) }> };
  };
  dismissChecklist: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  endBreakGlass: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  endEmergencyAccess: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  endFormExport: {
    params: { jid: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; form_id: string; format: ("csv" | "xlsx" | "pdf-zip" | "deidentified-csv" | "fhir-bundle"); state: ("waiting" | "running" | "done" | "failed" | "cancelled" | "gone"); gone_because: (("expired" | "destroyed" | "person_removed" | "deleted") | null); rows_done: number; rows_total: number; file_name: (string | null); created_by: { kind: string; id: string }; created_at: string; finished_at: (string | null); kept_until: (string | null) } };
  };
  endOtherSessions: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { ended: number };
  };
  endOwnSession: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  enterBreakGlass: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  explainCampaignMailing: {
    params: { id: string | number };
    query: { subscriber_id?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: { subscriber_id: string; sends: Array<{ campaign_mailing_send_id: string; state: string; rule: (string | null); explanation: string; settled_at: (string | null); opened_at: (string | null); clicked_at: (string | null) }> } };
  };
  explainDripCampaign: {
    params: { id: string | number };
    query: { subscriber_id?: string | number | boolean | string[] | undefined; email?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: { subscriber_id: string; in: boolean; summary: string; enrollments: Array<{ id: string; rotation: number; state: string; reason: (string | null); step: string; next: ({ at: (string | null); what: string } | null) }>; would_enter: { now: boolean; reasons: Array<string> }; left_out_mails: Array<{ step: string; at: string; rule: string; explanation: string }> } };
  };
  explainDynamicList: {
    params: { id: string | number };
    query: { subscriber_id?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: { subscriber_id: string; member: boolean; groups: Array<{ holds: boolean; conditions: Array<{ field: string; op: string; holds: boolean }> }> } };
  };
  explainRoute: {
    params: undefined;
    query: { domain: string | number | boolean | string[] };
    body: undefined;
    reply: { data: { domain: string; outcome: ("content" | "notice" | "nothing"); summary: string; mta_sts: ({ mode: string; id: string; mx: Array<string> } | null); remembered: boolean; hosts: Array<{ host: string; preference: number; addresses: Array<string>; dnssec: boolean; tlsa: (number | null); tls: ({ version: string; cipher: string; certificate_sha256: string } | null); verified: boolean; notice: boolean; policy: string; reason: (string | null) }> } };
  };
  exportAuditLog: {
    params: undefined;
    query: { actor?: string | number | boolean | string[] | undefined; action?: string | number | boolean | string[] | undefined; target?: string | number | boolean | string[] | undefined; from?: string | number | boolean | string[] | undefined; to?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: undefined;
  };
  exportCampaignMailingEvidence: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { contents: { format: ("carepost evidence 1"); customerId: number; messageId: string; exportedAt: string; publicKey: string; attempts: Array<{ evidence: { customerId: number; messageId: string; ordinal: number; attempt: number; startedAt: string; finishedAt: string; outcome: string; notice: boolean; recipient: (string | null); mx: (string | null); address: (string | null); tls: ({ version: string; cipher: string; certificateSha256: (string | null); verified: boolean; policy: string; basis: (string | null); reason: (string | null) } | null); code: (number | null); reply: (string | null) }; salt: string; batch: string; position: number }>; without: number; batches: Array<{ id: string; leaves: Array<string> }>; stretches: Array<{ seq: number; previous: string; rows: Array<{ id: string; customer_id: number; at: string; actor_kind: string; actor_id: string; action: string; target: (string | null); request_id: (string | null); details: (Record<string, unknown> | null) }>; head: { customer: number; seq: number; hash: string; checkpoint: number; at: string; signature: string } }> }; signature: string } };
  };
  exportDeidentifiedCsv: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  exportDeliveriesTable: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; subscriber_id?: string | number | boolean | string[] | undefined; state?: string | number | boolean | string[] | undefined; email?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; min_cell?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: undefined;
  };
  exportDynamicList: {
    params: undefined;
    query: undefined;
    body: { subscriber_ids?: (Array<(string | number)> | null) | undefined; from_subscription_list_id?: (string | number | null) | undefined; dynamic_list_id: string; search?: (string | null) | undefined; filters?: unknown | undefined; except_ids?: (Array<(string | number)> | null) | undefined; email: string; subscription_list_id?: (string | number | null) | undefined };
    reply: { data: { sent_to_email: string; jid: string } };
  };
  exportEvidence: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { contents: { format: ("carepost evidence 1"); customerId: number; messageId: string; exportedAt: string; publicKey: string; attempts: Array<{ evidence: { customerId: number; messageId: string; ordinal: number; attempt: number; startedAt: string; finishedAt: string; outcome: string; notice: boolean; recipient: (string | null); mx: (string | null); address: (string | null); tls: ({ version: string; cipher: string; certificateSha256: (string | null); verified: boolean; policy: string; basis: (string | null); reason: (string | null) } | null); code: (number | null); reply: (string | null) }; salt: string; batch: string; position: number }>; without: number; batches: Array<{ id: string; leaves: Array<string> }>; stretches: Array<{ seq: number; previous: string; rows: Array<{ id: string; customer_id: number; at: string; actor_kind: string; actor_id: string; action: string; target: (string | null); request_id: (string | null); details: (Record<string, unknown> | null) }>; head: { customer: number; seq: number; hash: string; checkpoint: number; at: string; signature: string } }> }; signature: string } };
  };
  exportImportRejects: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  exportIncident: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  exportIncidentCsv: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  exportLinkClickers: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; html_id?: string | number | boolean | string[] | undefined; email?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; min_cell?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: undefined;
  };
  exportLinksByUrl: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; min_cell?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: undefined;
  };
  exportPerson: {
    params: undefined;
    query: undefined;
    body: { email: string };
    reply: undefined;
  };
  exportQuestionnaire: {
    params: { id: string | number };
    query: { version?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: undefined;
  };
  exportQuestionnaireResponse: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  exportSendsTable: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; start_date?: string | number | boolean | string[] | undefined; end_date?: string | number | boolean | string[] | undefined; date_offset?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; min_cell?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: undefined;
  };
  exportSendTotals: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; start_date?: string | number | boolean | string[] | undefined; end_date?: string | number | boolean | string[] | undefined; date_offset?: string | number | boolean | string[] | undefined; by_date?: string | number | boolean | string[] | undefined; min_cell?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: undefined;
  };
  exportSubmissionCsv: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  exportSubmissionPdf: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  exportSubmissionsCsv: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  exportSubmissionsXlsx: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  exportSubscribers: {
    params: undefined;
    query: undefined;
    body: { subscriber_ids?: (Array<(string | number)> | null) | undefined; from_subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; search?: (string | null) | undefined; filters?: unknown | undefined; except_ids?: (Array<(string | number)> | null) | undefined; email: string; subscription_list_id?: (string | number | null) | undefined };
    reply: { data: { sent_to_email: string; jid: string } };
  };
  forgetPassword: {
    params: undefined;
    query: undefined;
    body: { email: string };
    reply: Record<string, unknown>;
  };
  importQuestionnaire: {
    params: undefined;
    query: undefined;
    body: { resourceType: ("Questionnaire") };
    reply: { id: string; notes: Array<{ path: string; note: string }> };
  };
  inviteMember: {
    params: undefined;
    query: undefined;
    body: { email: string; name: string; role: ("owner" | "admin" | "editor" | "reader") };
    reply: { id: string; setup_url?: string | undefined };
  };
  inviteMemberAgain: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { id: string; setup_url?: string | undefined };
  };
  inviteSigner: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: { role: string; email: string; name?: (string | null) | undefined };
    reply: { data: { id: string; role: string; required: boolean; state: string; email: (string | null); name: (string | null); expires_at: (string | null); settled_at: (string | null) } };
  };
  leaveBreakGlass: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  listAgreements: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; version: string; signer: string; signed_on: string; ends_on: (string | null); recorded_at: string; in_force: boolean; has_pdf: boolean }> };
  };
  listAmendments: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; at: string; by: { kind: string; id: string }; changes: (Record<string, unknown> | null); statement: (string | null); reason: (string | null); requested_by: (string | null); before_hash: string }> };
  };
  listApiKeys: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; name: string; prefix: string; mode: ("live" | "test"); scopes: Array<("forms" | "email" | "marketing")>; sending_domains: Array<string>; state: ("in_force" | "expired" | "revoked"); created_at: string; created_by: (string | null); expires_at: (string | null); last_used_at: (string | null); revoked_at: (string | null) }> };
  };
  listAuditActions: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<string> };
  };
  listAuditLog: {
    params: undefined;
    query: { actor?: string | number | boolean | string[] | undefined; action?: string | number | boolean | string[] | undefined; target?: string | number | boolean | string[] | undefined; from?: string | number | boolean | string[] | undefined; to?: string | number | boolean | string[] | undefined; after?: string | number | boolean | string[] | undefined; limit?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; at: string; actor: { kind: string; id: string; name: (string | null) }; action: string; target: (string | null); request_id: (string | null); details: (Record<string, unknown> | null) }>; next: (string | null) };
  };
  listBreakGlass: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; customer: { id: number; name: string }; operator: { id: string; email: string }; reason: (string | null); minutes: number; state: ("asked" | "lapsed" | "open" | "expired" | "ended"); asked_at: string; opened_at: (string | null); opened_by: (("operator" | "customer" | "code") | null); expires_at: (string | null); ended_at: (string | null); ended_by: (("operator" | "customer" | "cli") | null) }>; codes_left: number };
  };
  listBulkJobs: {
    params: undefined;
    query: { page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; kind: string; state: string; total_jobs: number; failures: number; pending: number; created_at: string; finished_at: (string | null) }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  listCampaignMailingDeliveries: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; subscriber_id?: string | number | boolean | string[] | undefined; state?: string | number | boolean | string[] | undefined; email?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; type: ("campaign_mailing_delivery"); attributes: { campaign_mailing_send_id: string; campaign_mailing_id: string; subscriber_id: string; email: (string | null); state: string; rule: (string | null); smtp_code: (number | null); attempts: number; settled_at: (string | null); opened_at: (string | null); clicked_at: (string | null); unsubscribed_at: (string | null) } }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  listCampaignMailings: {
    params: undefined;
    query: { search?: string | number | boolean | string[] | undefined; template_type?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; pagination?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; type: ("campaign_mailing"); attributes: { subject: string; default_subject: (string | null); from: (string | null); template_type: string; created_at: string; updated_at: string; sent: number; delivered: number; viewed: number; clicked: number; bounced: number; unsubscribed: number; sent_count: number; delivered_count: number; viewed_count: number; clicked_count: number; bounced_count: number; unsubscribed_count: number; latest_send: ({ id: string; state: string; send_at: string } | null) } }>; page_info?: { count: number; pages: number; page: number; items: number } | undefined };
  };
  listCampaignMailingSends: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; type: ("campaign_mailing_send"); attributes: { campaign_mailing_id: string; version: number; jid: string; state: string; subscription_list_id: (string | null); dynamic_list_id: (string | null); sender_email: string; from_name: (string | null); subject: (string | null); send_at: string; started_at: (string | null); finished_at: (string | null); created_at: string; people: number; sent: number; delivered: number; soft_bounced: number; hard_bounced: number; suppressed: number; excluded: number; uncertain: number; cancelled: number; viewed: number; clicked: number; unsubscribed: number; global_unsubscribed: number } }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  listCustomers: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: number; name: string; username: string; created_at: string; closed_at: (string | null); agreement_in_force: boolean; last_active_at: (string | null); users: number; keys: number; forms: number; submissions: number; subscribers: number }> };
  };
  listCustomFieldTypes: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; type: ("subscriber_custom_field_type"); attributes: { name: string; kind: string; class: string } }> };
  };
  listDestructions: {
    params: undefined;
    query: { form_id?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ format: ("carepost destruction 1"); id: string; customerId: number; formId: string; at: string; actor: { kind: string; id: string }; reason: (("retention") | ("request")); retentionDays: (number | null); method: ("Each key was destroyed; rows and files were deleted."); count: number; files: number; firstReceived: string; lastReceived: string; publicKey: string }>; total: number; page: number; items: number };
  };
  listDisclosures: {
    params: { id: string | number; sid: string | number };
    query: { page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; at: string; actor_kind: string; actor_id: string; action: string }>; total: number; page: number; items: number };
  };
  listDripCampaigns: {
    params: undefined;
    query: { search?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; type: ("drip_campaign"); attributes: { name: string; subscription_list_id: string; subscription_list_name: string; state: string; updated_at: string; start_trigger: string; subscriber_count: number; subscriber_completed_count: number } }> };
  };
  listDripCampaignVersions: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: Array<{ version: number; created_at: string; live: boolean; trial_share: (number | null); waiting: number }> };
  };
  listDripEnrollments: {
    params: { id: string | number };
    query: { state?: string | number | boolean | string[] | undefined; reason?: string | number | boolean | string[] | undefined; step?: string | number | boolean | string[] | undefined; version?: string | number | boolean | string[] | undefined; subscriber_id?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; type: ("drip_enrollment"); attributes: { drip_campaign_id: string; subscriber_id: string; email: (string | null); version: number; rotation: number; state: ("active" | "completed" | "exited"); reason: (string | null); step: string; waiting: boolean; due_at: (string | null); entered_at: string; arrived_at: string; ended_at: (string | null); occasion: (string | null) } }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  listDynamicLists: {
    params: undefined;
    query: { search?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined; with_stats?: string | number | boolean | string[] | undefined; use_pagination?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; type: ("dynamic_list"); attributes: { name: string; filters: Array<Array<{ field: string; op: string; terms: Array<string> }>>; rule: string; subscriber_count: (number | null); counted_at: (string | null); created_at: string; updated_at: string } }>; page_info?: { count: number; pages: number; page: number; items: number } | undefined };
  };
  listEmergencyAccess: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; customer: { id: number; name: string }; operator: { id: string; email: string }; reason: (string | null); minutes: number; state: ("asked" | "lapsed" | "open" | "expired" | "ended"); asked_at: string; opened_at: (string | null); opened_by: (("operator" | "customer" | "code") | null); expires_at: (string | null); ended_at: (string | null); ended_by: (("operator" | "customer" | "cli") | null) }> };
  };
  listEvents: {
    params: undefined;
    query: { after?: string | number | boolean | string[] | undefined; limit?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ event_name: string; payload: { id: number; subject: string; header_message_id: string; source_tracking_id: string; outbound_queue_id: string; time: string; from: string; to: string; custom_headers: Record<string, string>; uncertain?: (true) | undefined } }>; next: number };
  };
  listFormExports: {
    params: undefined;
    query: { page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; form_id: string; format: ("csv" | "xlsx" | "pdf-zip" | "deidentified-csv" | "fhir-bundle"); state: ("waiting" | "running" | "done" | "failed" | "cancelled" | "gone"); gone_because: (("expired" | "destroyed" | "person_removed" | "deleted") | null); rows_done: number; rows_total: number; file_name: (string | null); created_by: { kind: string; id: string }; created_at: string; finished_at: (string | null); kept_until: (string | null) }>; total: number; page: number; items: number };
  };
  listFormLinks: {
    params: { id: string | number };
    query: { page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; created_at: string; expires_at: string; used_at: (string | null); submission_id: (string | null) }>; total: number; page: number; items: number };
  };
  listForms: {
    params: undefined;
    query: { customer_id?: string | number | boolean | string[] | undefined; form_id?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; archived?: string | number | boolean | string[] | undefined; active?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { results: Array<{ id: string; title: string; description: (string | null); form_html: (string | null); form_json: (Record<string, unknown> | null); form_css: (string | null); vanity_url: (string | null); version: number; active: boolean; customer_id: number; old_form_id: (number | null); recipient: (string | null); signable: boolean; signature_confirmation_label: (string | null); submission_count: number; type: (string | null); subscription_list_id: (string | null); deleted: boolean; archived: boolean; created_at: string; updated_at: string }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  listFormVersions: {
    params: { id: string | number };
    query: { page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ version: number; created_at: string; hash: string; changes: string }>; total: number; page: number; items: number };
  };
  listHolds: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; kind: ("customer" | "person" | "form" | "submission" | "message"); target: (string | null); email: (string | null); reason: string; set_at: string; by_operator: boolean; released_at: (string | null); release_reason: (string | null) }> };
  };
  listImportRejects: {
    params: { id: string | number };
    query: { after_line?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ line: number; reasons: Array<string> }> };
  };
  listImports: {
    params: undefined;
    query: { page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; type: ("import"); attributes: { state: string; dry_run: boolean; subscription_list_id: (string | null); columns: (Array<(string | null)> | null); encoding: (string | null); delimiter: (string | null); bytes: number; bytes_done: number; rows_done: number; created: number; updated: number; unchanged: number; skipped: number; opted_out: number; removed: number; restored: number; kept: number; held_subscriber_ids: Array<string>; failure: (string | null); created_at: string; finished_at: (string | null); undone_at: (string | null) } }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  listIncidents: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; severity: ("low" | "medium" | "high" | "critical"); state: ("open" | "contained" | "closed"); discovered_at: string; breach_from: (string | null); breach_to: (string | null); notice_due_at: string; days_left: number; opened_at: string; closed_at: (string | null); scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null) }> };
  };
  listInstallationIncidents: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; severity: ("low" | "medium" | "high" | "critical"); state: ("open" | "contained" | "closed"); discovered_at: string; breach_from: (string | null); breach_to: (string | null); notice_due_at: string; days_left: number; opened_at: string; closed_at: (string | null); scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null) }> };
  };
  listInstallationReviews: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; from: string; to: string; state: ("open" | "overdue" | "signed"); due_at: string; signed_at: (string | null); signed_by: (string | null); own: boolean; findings_count: number }> };
  };
  listLists: {
    params: undefined;
    query: { search?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined; with_stats?: string | number | boolean | string[] | undefined; use_pagination?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<({ id: string; type: ("subscription_list"); attributes: { name: string; is_default: boolean; subscriber_count: number; form_id: (string | null); double_opt_in: boolean; consent_text: (string | null); created_at: string; updated_at: string } } | { id: string; type: ("dynamic_list"); attributes: { name: string; filters: Array<Array<{ field: string; op: string; terms: Array<string> }>>; rule: string; subscriber_count: (number | null); counted_at: (string | null); created_at: string; updated_at: string } })>; page_info?: { count: number; pages: number; page: number; items: number } | undefined };
  };
  listMessages: {
    params: undefined;
    query: { state?: string | number | boolean | string[] | undefined; to?: string | number | boolean | string[] | undefined; since?: string | number | boolean | string[] | undefined; until?: string | number | boolean | string[] | undefined; after?: string | number | boolean | string[] | undefined; limit?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ sourceTrackingId: string; state: ("scheduled" | "processing" | "delivered" | "bounced" | "cancelled"); mode: ("live" | "test"); from: string; to: Array<string>; subject: string; createdAt: string; scheduledFor: (string | null) }>; next: (string | null) };
  };
  listNodes: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; host: string; roles: Array<string>; version: string; started_at: string; seen_at: string; state: ("there" | "away") }> };
  };
  listNotes: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; at: string; by: { kind: string; id: string }; text: (string | null); taken_back_at: (string | null) }> };
  };
  listOwnSessions: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; agent: string; created_at: string; seen_at: string; current: boolean }> };
  };
  listReviews: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; from: string; to: string; state: ("open" | "overdue" | "signed"); due_at: string; signed_at: (string | null); signed_by: (string | null); own: boolean; findings_count: number }> };
  };
  listSendingDomains: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; domain: string; state: ("pending" | "verified" | "failing"); verified_at: (string | null); checked_at: (string | null); missing_since: (string | null); return_path: boolean; warm_up: boolean; created_at: string; records: Array<{ purpose: ("ownership" | "dkim" | "spf" | "dmarc" | "return_path"); type: ("TXT" | "CNAME"); name: string; value: string; required: boolean; key: (("pending" | "active" | "retired") | null); removable_after: (string | null); status: ("unchecked" | "found" | "missing" | "differs" | "unanswered"); found: Array<string> }> }> };
  };
  listSideJobs: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; task: string; state: ("waiting" | "running" | "failing" | "given_up"); attempts: number; max_attempts: number; run_at: string; created_at: string; error: (string | null) }> };
  };
  listSigners: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; role: string; required: boolean; state: string; email: (string | null); name: (string | null); expires_at: (string | null); settled_at: (string | null) }> };
  };
  listSubmissions: {
    params: { id: string | number };
    query: { submission_id?: string | number | boolean | string[] | undefined; submitter_email?: string | number | boolean | string[] | undefined; since?: string | number | boolean | string[] | undefined; until?: string | number | boolean | string[] | undefined; work_state?: string | number | boolean | string[] | undefined; assignee_id?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; form_id: string; form_data: string; sealed: (string | null); storage_type: string; storage_url: (string | null); submitter_email: (string | null); recipients: (string | null); attachment_name: (string | null); attachment_url: (string | null); attachment_type: (string | null); attachment: (string | null); created_at: string; attachments: Array<{ id: string; name: string; type: string; size: number; sha256: string; field: (string | null) }>; signature: ({ name: (string | null); method: string; image: (string | null); signed_at: string; consent_text: (string | null); form_version: number; form_hash: string; answers_hash: string; proof: string; genuine: boolean } | null); signatures: Array<{ role: string; name: (string | null); method: string; signed_at: string; genuine: boolean }>; awaiting_signatures: number; form_version: number; unasked: Array<string>; amended: boolean; amended_form_data: (string | null); amendments: Array<{ id: string; at: string; by: { kind: string; id: string }; changes: (Record<string, unknown> | null); statement: (string | null); reason: (string | null); requested_by: (string | null); before_hash: string }>; work_state: string; assignee_id: (string | null); note_count: number }>; total: number; page: number; items: number };
  };
  listSubscribers: {
    params: undefined;
    query: { items?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined; subscription_list_id?: string | number | boolean | string[] | undefined; dynamic_list_id?: string | number | boolean | string[] | undefined; filters?: string | number | boolean | string[] | undefined; with_stats?: string | number | boolean | string[] | undefined; search_after?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } }>; total_count: number; search_after: (string | null); page_info: { count: number; pages: number; page: number; items: number } };
  };
  listSubscriptionLists: {
    params: undefined;
    query: { search?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined; use_pagination?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined; with_stats?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; type: ("subscription_list"); attributes: { name: string; is_default: boolean; subscriber_count: number; form_id: (string | null); double_opt_in: boolean; consent_text: (string | null); created_at: string; updated_at: string } }>; page_info?: { count: number; pages: number; page: number; items: number } | undefined };
  };
  listSubscriptions: {
    params: undefined;
    query: { subscriber_id?: string | number | boolean | string[] | undefined; subscription_list_id?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; type: ("subscription"); attributes: { subscription_list_id: string; subscriber_id: number; subscriber_uuid: string; pending: boolean; unsubscribed_at: (string | null); created_at: string } }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  listSuppressions: {
    params: undefined;
    query: { reason?: string | number | boolean | string[] | undefined; address?: string | number | boolean | string[] | undefined; after?: string | number | boolean | string[] | undefined; limit?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ address: string; reason: ("hard_bounce" | "complaint" | "manual" | "opt_out"); sourceTrackingId: (string | null); createdAt: string }>; next: (string | null) };
  };
  listTeam: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; name: string; email: string; role: string; state: ("invited" | "active" | "removed"); created_at: string; removed_at: (string | null); last_sign_in_at: (string | null); has_factor: boolean; keys: number }> };
  };
  listTemplates: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: Array<{ id: number; name: string; api_customer_id: number }>;
  };
  listTemplateVersions: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: Array<{ version: number; subject: (string | null); body: string; strict: boolean; allow_raw_html: boolean; created_at: string }> };
  };
  listTlsExceptions: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ id: string; domain: string; created_at: string }> };
  };
  listTrackingLinks: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; type: ("tracking_link"); attributes: { campaign_mailing_send_id: string; html_id: string; url: string; clicks: number; unique_clicks: number; created_at: string } }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  listWebhookDeliveries: {
    params: { id: string | number };
    query: { before?: string | number | boolean | string[] | undefined; state?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; sequence: number; event_name: string; source_tracking_id: (string | null); test: boolean; state: ("pending" | "delivered" | "failed"); attempts: number; next_attempt_at: (string | null); created_at: string; settled_at: (string | null) }> };
  };
  listWebhookEndpoints: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: Array<{ id: number; api_customer_id: number; target_url: string; events: Array<string>; active: boolean; ordered: boolean; failing: boolean; signing_key?: string | undefined; created_at: string; updated_at: string }>;
  };
  listWebhooks: {
    params: undefined;
    query: { page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; target_url: string; status: ("active" | "disabled"); events: Array<string>; ordered: boolean; failing: boolean; created_at: string; updated_at: string }>; page_info: { count: number; items: number } };
  };
  makeRecoveryCodes: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { recovery_codes: Array<string> };
  };
  moveDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: { from_version?: ((number | string) | null) | undefined; to_version: (number | string); steps?: (Record<string, string> | null) | undefined };
    reply: { data: { jid: string } };
  };
  moveScheduledMessage: {
    params: { id: string | number };
    query: undefined;
    body: { scheduled_at?: string | undefined; data?: { scheduled_at?: string | undefined } | undefined };
    reply: { sourceTrackingId: string; scheduledAt: string; state: ("pending" | "sent" | "cancelled" | "failed"); messageId: number; sentAt: (string | null); cancelledAt: (string | null); errorMessage: (string | null); data: ("Rescheduled") };
  };
  openBreakGlass: {
    params: { id: string | number };
    query: undefined;
    body: { code: (string | null) };
    reply: { id: string; customer: { id: number; name: string }; operator: { id: string; email: string }; reason: (string | null); minutes: number; state: ("asked" | "lapsed" | "open" | "expired" | "ended"); asked_at: string; opened_at: (string | null); opened_by: (("operator" | "customer" | "code") | null); expires_at: (string | null); ended_at: (string | null); ended_by: (("operator" | "customer" | "cli") | null) };
  };
  optInPeople: {
    params: undefined;
    query: undefined;
    body: { subscriber_ids?: (Array<(string | number)> | null) | undefined; from_subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; search?: (string | null) | undefined; filters?: unknown | undefined; except_ids?: (Array<(string | number)> | null) | undefined };
    reply: { data: (Array<{ id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } }> | { jid: string }) };
  };
  optOutPeople: {
    params: undefined;
    query: undefined;
    body: { subscriber_ids?: (Array<(string | number)> | null) | undefined; from_subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; search?: (string | null) | undefined; filters?: unknown | undefined; except_ids?: (Array<(string | number)> | null) | undefined };
    reply: { data: (Array<{ id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } }> | { jid: string }) };
  };
  pauseCampaignMailingSend: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("campaign_mailing_send"); attributes: { campaign_mailing_id: string; version: number; jid: string; state: string; subscription_list_id: (string | null); dynamic_list_id: (string | null); sender_email: string; from_name: (string | null); subject: (string | null); send_at: string; started_at: (string | null); finished_at: (string | null); created_at: string; people: number; sent: number; delivered: number; soft_bounced: number; hard_bounced: number; suppressed: number; excluded: number; uncertain: number; cancelled: number; viewed: number; clicked: number; unsubscribed: number; global_unsubscribed: number } } };
  };
  pauseDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { drip_campaign_id: string; status: string } };
  };
  previewCampaignMailing: {
    params: undefined;
    query: undefined;
    body: { campaign_mailing: { subject?: (string | null) | undefined; default_subject?: (string | null) | undefined; preheader?: (string | null) | undefined; from?: (string | null) | undefined; reply_to?: (string | null) | undefined; html_part?: (string | null) | undefined; text_part?: (string | null) | undefined; mjml_part?: (string | null) | undefined; blocks?: unknown | undefined; form_data?: unknown | undefined; template_type?: (string | null) | undefined }; subscriber_id?: (string | null) | undefined };
    reply: { data: { subject: (string | null); preheader: (string | null); html: (string | null); text: (string | null); problems: Array<{ field: string; severity: ("error" | "warning" | "note"); message: string }> } };
  };
  previewForm: {
    params: undefined;
    query: undefined;
    body: { form_json: Record<string, unknown>; description?: (string | null) | undefined; form_html?: (string | null) | undefined; form_css?: (string | null) | undefined; recipient?: (string | null) | undefined; signable?: (boolean | (0) | (1) | string | null) | undefined; signature_confirmation_label?: (string | null) | undefined; title?: (string | null) | undefined; language?: string | undefined; page?: number | undefined };
    reply: { html: string; problems: Array<{ severity: ("error" | "warning"); field: (string | null); words: string }> };
  };
  previewTemplate: {
    params: { id: string | number };
    query: undefined;
    body: { template_variables?: unknown | undefined; body?: string | undefined; subject?: (string | null) | undefined; allow_raw_html?: boolean | undefined };
    reply: { subject: (string | null); html: string; missing: Array<string>; variables: Array<string> };
  };
  publishDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: { version?: ((number | string) | null) | undefined; share: number };
    reply: { data: { id: string; type: ("drip_campaign"); attributes: { name: string; subscription_list_id: string; subscription_list_name: string; state: string; updated_at: string; start_trigger: string; subscriber_count: number; subscriber_completed_count: number; steps: Array<unknown>; drip_campaign_nodes: string; drip_campaign_tree_blob: string; outdated_steps: Array<string>; trigger: { form_id: (string | null); date: ({ field: string; every: string; days: number; time: string } | null) }; reentry: string; goal: unknown; time_zone: string; sender_email: (string | null); from_name: (string | null); reply_to: (string | null); version: number; live_version: (number | null); trial_version: (number | null); trial_share: (number | null); created_at: string; started_at: (string | null); paused_at: (string | null); completed_at: (string | null) } } };
  };
  readAgreement: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { in_force: boolean; agreement: ({ id: string; version: string; signer: string; signed_on: string; ends_on: (string | null); recorded_at: string; in_force: boolean; has_pdf: boolean } | null); text: { version: string; title: string; notice: string; sections: Array<{ heading: string; paragraphs: Array<string> }> } };
  };
  readAgreementPdf: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  readAttachment: {
    params: { id: string | number; sid: string | number; aid: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  readAuditVerification: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { state: ("never" | "running" | "sound" | "broken"); asked_at: (string | null); finished_at: (string | null); checked: number; total: number; fault: ({ row: (number | null); reason: string } | null) };
  };
  readBulkJob: {
    params: { bid: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; kind: string; state: string; total_jobs: number; failures: number; pending: number; created_at: string; finished_at: (string | null) } };
  };
  readCampaignMailing: {
    params: { id: string | number };
    query: { with_images?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: { id: string; type: ("campaign_mailing"); attributes: { subject: string; default_subject: (string | null); preheader: (string | null); from: (string | null); reply_to: (string | null); html_part: (string | null); text_part: (string | null); mjml_part: (string | null); blocks: unknown; form_data: unknown; template_type: string; version: number; created_at: string; updated_at: string } } };
  };
  readCampaignMailingSend: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("campaign_mailing_send"); attributes: { campaign_mailing_id: string; version: number; jid: string; state: string; subscription_list_id: (string | null); dynamic_list_id: (string | null); sender_email: string; from_name: (string | null); subject: (string | null); send_at: string; started_at: (string | null); finished_at: (string | null); created_at: string; people: number; sent: number; delivered: number; soft_bounced: number; hard_bounced: number; suppressed: number; excluded: number; uncertain: number; cancelled: number; viewed: number; clicked: number; unsubscribed: number; global_unsubscribed: number } } };
  };
  readCertificate: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  readCurrentCustomer: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("customer"); attributes: { name: string } } };
  };
  readCustomer: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { id: number; name: string; username: string; created_at: string; closed_at: (string | null) };
  };
  readDeliveriesTable: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; subscriber_id?: string | number | boolean | string[] | undefined; state?: string | number | boolean | string[] | undefined; email?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; min_cell?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; campaign_mailing_send_id: string; campaign_mailing_id: string; subscriber_id: string; email: (string | null); full_name: string; state: string; rule: (string | null); smtp_code: (number | null); attempts: number; settled_at: (string | null); opened_at: (string | null); opens: number; machine_opens: number; clicked_at: (string | null); clicks: number; machine_clicks: number; unsubscribed_at: (string | null) }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  readDestruction: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { contents: { format: ("carepost destruction 1"); id: string; customerId: number; formId: string; at: string; actor: { kind: string; id: string }; reason: (("retention") | ("request")); retentionDays: (number | null); method: ("Each key was destroyed; rows and files were deleted."); count: number; files: number; firstReceived: string; lastReceived: string; submissions: Array<{ id: string; sha256: string }>; publicKey: string }; signature: string } };
  };
  readDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("drip_campaign"); attributes: { name: string; subscription_list_id: string; subscription_list_name: string; state: string; updated_at: string; start_trigger: string; subscriber_count: number; subscriber_completed_count: number; steps: Array<unknown>; drip_campaign_nodes: string; drip_campaign_tree_blob: string; outdated_steps: Array<string>; trigger: { form_id: (string | null); date: ({ field: string; every: string; days: number; time: string } | null) }; reentry: string; goal: unknown; time_zone: string; sender_email: (string | null); from_name: (string | null); reply_to: (string | null); version: number; live_version: (number | null); trial_version: (number | null); trial_share: (number | null); created_at: string; started_at: (string | null); paused_at: (string | null); completed_at: (string | null) } } };
  };
  readDripCampaignVersion: {
    params: { id: string | number; version: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { version: number; created_at: string; live: boolean; trial_share: (number | null); steps: Array<unknown>; drip_campaign_nodes: string; drip_campaign_tree_blob: string } };
  };
  readDripEnrollment: {
    params: { id: string | number; enrollment_id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("drip_enrollment"); attributes: { drip_campaign_id: string; subscriber_id: string; email: (string | null); version: number; rotation: number; state: ("active" | "completed" | "exited"); reason: (string | null); step: string; waiting: boolean; due_at: (string | null); entered_at: string; arrived_at: string; ended_at: (string | null); occasion: (string | null); path: Array<{ step: string; type: (string | null); visit: number; at: string; outcome: (string | null); message_id: (string | null); mail: ({ state: string; rule: (string | null); delivered_at: (string | null); opened_at: (string | null); clicked_at: (string | null) } | null) }> } } };
  };
  readDripStatistics: {
    params: { id: string | number };
    query: { version?: string | number | boolean | string[] | undefined; min_cell?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: { subscriber_count: (number | null); subscriber_completed_count: (number | null); active: (number | null); exited: (number | null); small_cells_suppressed?: (true) | undefined; by_reason: Record<string, (number | null)>; steps: Array<{ step: string; type: string; version: (number | null); waiting: (number | null); passed: (number | null); exited: (number | null); sent: (number | null); delivered: (number | null); opened: (number | null); clicked: (number | null); bounced: (number | null); soft_bounced: (number | null); hard_bounced: (number | null); unsubscribed: (number | null); small_cells_suppressed?: (true) | undefined }> } };
  };
  readDripWebhookSecret: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { secret: string } };
  };
  readDynamicList: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("dynamic_list"); attributes: { name: string; filters: Array<Array<{ field: string; op: string; terms: Array<string> }>>; rule: string; subscriber_count: (number | null); counted_at: (string | null); created_at: string; updated_at: string } } };
  };
  readEmailSettings: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: { open_tracking: boolean; link_tracking: boolean } };
  };
  readExportFile: {
    params: { bid: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  readFactors: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { totp: boolean; passkeys: Array<{ id: string; name: string; created_at: string; last_used_at: (string | null) }>; recovery_codes: number };
  };
  readForm: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; title: string; description: (string | null); form_html: (string | null); form_json: (Record<string, unknown> | null); form_css: (string | null); vanity_url: (string | null); version: number; active: boolean; customer_id: number; old_form_id: (number | null); recipient: (string | null); signable: boolean; signature_confirmation_label: (string | null); submission_count: number; type: (string | null); subscription_list_id: (string | null); deleted: boolean; archived: boolean; created_at: string; updated_at: string } };
  };
  readFormActivity: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { new: number; in_work: number; done: number; days: Array<{ day: string; submissions: number }> } };
  };
  readFormExport: {
    params: { jid: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; form_id: string; format: ("csv" | "xlsx" | "pdf-zip" | "deidentified-csv" | "fhir-bundle"); state: ("waiting" | "running" | "done" | "failed" | "cancelled" | "gone"); gone_because: (("expired" | "destroyed" | "person_removed" | "deleted") | null); rows_done: number; rows_total: number; file_name: (string | null); created_by: { kind: string; id: string }; created_at: string; finished_at: (string | null); kept_until: (string | null) } };
  };
  readFormExportFile: {
    params: { jid: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  readFormPage: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { closes_at: (string | null); most_submissions: (number | null); has_password: boolean; single_use: boolean; frame_origins: Array<string>; resumable: boolean; proof_of_work: string; traps: string; sealed_to: Array<string>; updated_at: string };
  };
  readFormRetention: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { retention_days: (number | null) };
  };
  readFormStats: {
    params: undefined;
    query: { customer_id?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { active_form_count: number; total_submission_count: number; submissions_last_7_days: number };
  };
  readFormVersion: {
    params: { id: string | number; version: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { version: number; created_at: string; hash: string; form_json: (Record<string, unknown> | null); form_html: (string | null); form_css: (string | null); signable: boolean; signature_confirmation_label: (string | null) } };
  };
  readHealth: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { version: string; checks: Array<{ name: ("database" | "disk" | "worker" | "sealer" | "queues" | "certificate"); state: ("good" | "poor" | "unknown"); measured: (number | null) }> };
  };
  readHome: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { attention: Array<{ kind: ("agreement_missing" | "agreement_ending" | "webhook_failing" | "webhook_disabled" | "domain_pending" | "domain_failing" | "domain_keys_old" | "bounces_rising" | "sends_waiting" | "drip_failing" | "submissions_new" | "reviews_overdue"); severity: ("error" | "warning" | "info"); subject: string; count: (number | null); where: string }>; days: { days: Array<string>; messages: Array<number>; delivered: Array<number>; bounced: Array<number>; submissions: Array<number>; subscribers: Array<number>; drip_mails: Array<number> }; checklist: { agreement: boolean; factor: boolean; key: boolean; domain: boolean; first_message: boolean; first_form: boolean; first_submission: boolean; first_subscriber: boolean; first_drip: boolean; dismissed: boolean } };
  };
  readImport: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("import"); attributes: { state: string; dry_run: boolean; subscription_list_id: (string | null); columns: (Array<(string | null)> | null); encoding: (string | null); delimiter: (string | null); bytes: number; bytes_done: number; rows_done: number; created: number; updated: number; unchanged: number; skipped: number; opted_out: number; removed: number; restored: number; kept: number; held_subscriber_ids: Array<string>; failure: (string | null); created_at: string; finished_at: (string | null); undone_at: (string | null) } } };
  };
  readIncident: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { id: string; severity: ("low" | "medium" | "high" | "critical"); state: ("open" | "contained" | "closed"); discovered_at: string; breach_from: (string | null); breach_to: (string | null); notice_due_at: string; days_left: number; opened_at: string; closed_at: (string | null); scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null); what_happened: string; information: string; steps: string; doing: string; contact: string; timeline: Array<{ at: string; author: { kind: string; id: string }; state: ("open" | "contained" | "closed"); text: string }> };
  };
  readInstallationIncident: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { id: string; severity: ("low" | "medium" | "high" | "critical"); state: ("open" | "contained" | "closed"); discovered_at: string; breach_from: (string | null); breach_to: (string | null); notice_due_at: string; days_left: number; opened_at: string; closed_at: (string | null); scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null); what_happened: string; information: string; steps: string; doing: string; contact: string; timeline: Array<{ at: string; author: { kind: string; id: string }; state: ("open" | "contained" | "closed"); text: string }> };
  };
  readInstallationReview: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { id: string; from: string; to: string; state: ("open" | "overdue" | "signed"); due_at: string; signed_at: (string | null); signed_by: (string | null); own: boolean; findings_count: number; notes: (string | null); findings: Array<{ kind: ("reads_volume" | "reads_odd_hours" | "reads_many_records" | "exports" | "sign_in_failures" | "keys_and_roles" | "break_glass" | "vault" | "deletions"); actor: { kind: string; id: string }; count: number; past: (number | null); action: (string | null); where: string }> };
  };
  readLinkClickers: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; html_id?: string | number | boolean | string[] | undefined; email?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; min_cell?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ subscriber_id: string; email: (string | null); full_name: string; clicks: number; first_at: string }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  readLinksByUrl: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; min_cell?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ url: string; tracking_link_ids: Array<string>; clicks: (number | null); unique_clicks: (number | null); small_cells_suppressed?: (true) | undefined }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  readListGrowth: {
    params: { id: string | number };
    query: { days?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ day: string; joined: number; left: number }> };
  };
  readMessage: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { sourceTrackingId: string; state: ("scheduled" | "processing" | "delivered" | "bounced" | "cancelled"); mode: ("live" | "test"); from: string; to: Array<string>; subject: string; createdAt: string; scheduledFor: (string | null); headers: Record<string, string>; template: ({ id: number; version: number } | null); recipients: Array<{ address: string; kind: ("to" | "cc" | "bcc"); state: string; portal: boolean; attempts: Array<{ number: number; startedAt: string; finishedAt: (string | null); outcome: (string | null); peer: (string | null); smtpResponse: (string | null); tls: ({ version: string; cipher: string; policy: string; verified: boolean; certificateSha256: (string | null); basis: (string | null); reason: (string | null) } | null) }> }>; timeline: Array<{ at: string; event: string; recipient: (string | null); said?: string | undefined }>; content: ({ text: (string | null); html: (string | null); attachments: Array<{ fileName: string; contentType: string; size: number }> } | null) } };
  };
  readOpenWork: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: { new: number; in_work: number; unassigned: number; assigned: Array<{ assignee_id: string; open: number }>; forms: Array<{ form_id: string; title: string; new: number; in_work: number }> } };
  };
  readOversight: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { security_contact: (string | null); review_days: number; review_due_days: number; updated_at: string };
  };
  readPublicForm: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { id: string; title: string; description: (string | null); form_html: (string | null); form_json: (Record<string, unknown> | null); form_css: (string | null); vanity_url: (string | null); version: number; active: boolean; customer_id: number; old_form_id: (number | null); recipient: (string | null); signable: boolean; signature_confirmation_label: (string | null); submission_count: number; type: (string | null); subscription_list_id: (string | null); deleted: boolean; archived: boolean; created_at: string; updated_at: string };
  };
  readPublicFormSchema: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  readQueues: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { data: Array<{ name: ("messages" | "mailings" | "webhooks" | "drips" | "jobs"); waiting: number; due: number; held: (number | null); late: number; oldest_due_at: (string | null); more: boolean }> };
  };
  readReceipt: {
    params: undefined;
    query: { sourceTrackingId?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { sourceTrackingId: string; data: { message: { id: string; message_deliveries: Array<{ recipient: string; status: { deliveryStatus: string; deliveryTime?: string | undefined; openedStatus?: string | undefined; openedTime?: string | undefined }; attempts: number; smtpResponse?: string | undefined; tls?: { version: string; cipher: string; policy: string; verified: boolean } | undefined }>; template?: { id: number; version: number } | undefined; total_opens?: number | undefined; distinct_opens?: number | undefined; machine_opens?: number | undefined; total_click_count?: number | undefined; clicks_per_link?: Array<{ target_url: string; click_count: number }> | undefined; unsubscribed?: boolean | undefined } } };
  };
  readRetention: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { content_days: (number | null); sandbox_days: (number | null); log_days: (number | null); webhook_days: (number | null); work_days: (number | null); marketing_days: (number | null); audit_years: (number | null); operator: { content_days: number; sandbox_days: number; log_days: number; webhook_days: number; work_days: number; marketing_days: number; audit_years: number }; backup_days: number; export_days: number; mailing_days: number; form_default_days: (number | null) };
  };
  readReview: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { id: string; from: string; to: string; state: ("open" | "overdue" | "signed"); due_at: string; signed_at: (string | null); signed_by: (string | null); own: boolean; findings_count: number; notes: (string | null); findings: Array<{ kind: ("reads_volume" | "reads_odd_hours" | "reads_many_records" | "exports" | "sign_in_failures" | "keys_and_roles" | "break_glass" | "vault" | "deletions"); actor: { kind: string; id: string }; count: number; past: (number | null); action: (string | null); where: string }> };
  };
  readSandbox: {
    params: undefined;
    query: { to?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ sourceTrackingId: string; from: string; to: Array<string>; subject: string; headers: Record<string, string>; text: string; html: string; attachments: Array<{ fileName: string; contentType: string; size: number }>; tls: { version: string; cipher: string } }> };
  };
  readScheduledMessage: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { sourceTrackingId: string; scheduledAt: string; state: ("pending" | "sent" | "cancelled" | "failed"); messageId: number; sentAt: (string | null); cancelledAt: (string | null); errorMessage: (string | null) };
  };
  readSendingDomain: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; domain: string; state: ("pending" | "verified" | "failing"); verified_at: (string | null); checked_at: (string | null); missing_since: (string | null); return_path: boolean; warm_up: boolean; created_at: string; records: Array<{ purpose: ("ownership" | "dkim" | "spf" | "dmarc" | "return_path"); type: ("TXT" | "CNAME"); name: string; value: string; required: boolean; key: (("pending" | "active" | "retired") | null); removable_after: (string | null); status: ("unchecked" | "found" | "missing" | "differs" | "unanswered"); found: Array<string> }> } };
  };
  readSendsTable: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; start_date?: string | number | boolean | string[] | undefined; end_date?: string | number | boolean | string[] | undefined; date_offset?: string | number | boolean | string[] | undefined; search?: string | number | boolean | string[] | undefined; min_cell?: string | number | boolean | string[] | undefined; page?: string | number | boolean | string[] | undefined; items?: string | number | boolean | string[] | undefined; order_by?: string | number | boolean | string[] | undefined; order?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: Array<{ id: string; campaign_mailing_id: string; subject: string; list_name: (string | null); state: string; started_at: (string | null); finished_at: (string | null); sent: (number | null); delivered: (number | null); viewed: (number | null); machine_viewed: (number | null); clicked: (number | null); bounced: (number | null); soft_bounced: (number | null); hard_bounced: (number | null); unsubscribed: (number | null); global_unsubscribed: (number | null); suppressed: (number | null); excluded: (number | null); uncertain: (number | null); queued: (number | null); deferred: (number | null); delivery_rate: (number | null); bounce_rate: (number | null); view_rate: (number | null); click_rate: (number | null); unsubscribe_rate: (number | null); small_cells_suppressed?: (true) | undefined }>; page_info: { count: number; pages: number; page: number; items: number } };
  };
  readSendTotals: {
    params: undefined;
    query: { campaign_mailing_id?: string | number | boolean | string[] | undefined; campaign_mailing_send_id?: string | number | boolean | string[] | undefined; drip_campaign_id?: string | number | boolean | string[] | undefined; tracking_link_id?: string | number | boolean | string[] | undefined; email_type?: string | number | boolean | string[] | undefined; start_date?: string | number | boolean | string[] | undefined; end_date?: string | number | boolean | string[] | undefined; date_offset?: string | number | boolean | string[] | undefined; by_date?: string | number | boolean | string[] | undefined; min_cell?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: ({ sent: (number | null); delivered: (number | null); viewed: (number | null); machine_viewed: (number | null); clicked: (number | null); bounced: (number | null); soft_bounced: (number | null); hard_bounced: (number | null); unsubscribed: (number | null); global_unsubscribed: (number | null); suppressed: (number | null); excluded: (number | null); uncertain: (number | null); queued: (number | null); deferred: (number | null); small_cells_suppressed?: (true) | undefined } | { sent: (number | null); delivered: (number | null); viewed: (number | null); machine_viewed: (number | null); clicked: (number | null); bounced: (number | null); soft_bounced: (number | null); hard_bounced: (number | null); unsubscribed: (number | null); global_unsubscribed: (number | null); suppressed: (number | null); excluded: (number | null); uncertain: (number | null); small_cells_suppressed?: (true) | undefined } | Array<{ date: string; sent: (number | null); delivered: (number | null); viewed: (number | null); machine_viewed: (number | null); clicked: (number | null); bounced: (number | null); soft_bounced: (number | null); hard_bounced: (number | null); unsubscribed: (number | null); global_unsubscribed: (number | null); suppressed: (number | null); excluded: (number | null); uncertain: (number | null); small_cells_suppressed?: (true) | undefined }>) };
  };
  readSession: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { state: ("signed-out" | "enrol" | "factor" | "open"); user: ({ id: string; email: string; name: string; role: ("reader" | "editor" | "admin" | "owner" | "operator") } | null); customer: ({ id: number; name: string; username: string } | null); csrf: (string | null); methods: ({ totp: boolean; passkeys: number; recovery_codes: number } | null); fresh_until: (string | null); idle_seconds: number; delivery: ("sandbox" | "direct" | "relay"); public_url: string; version: string; agreement_in_force: (boolean | null); emergency: ({ grant_id: string; until: string; acting: boolean } | null) };
  };
  readStorage: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { database_bytes: number; tables: Array<{ name: string; bytes: number; rows: number }>; files: number; file_bytes: number; disk_free_bytes: number; disk_total_bytes: number };
  };
  readSubmission: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; form_id: string; form_data: string; sealed: (string | null); storage_type: string; storage_url: (string | null); submitter_email: (string | null); recipients: (string | null); attachment_name: (string | null); attachment_url: (string | null); attachment_type: (string | null); attachment: (string | null); created_at: string; attachments: Array<{ id: string; name: string; type: string; size: number; sha256: string; field: (string | null) }>; signature: ({ name: (string | null); method: string; image: (string | null); signed_at: string; consent_text: (string | null); form_version: number; form_hash: string; answers_hash: string; proof: string; genuine: boolean } | null); signatures: Array<{ role: string; name: (string | null); method: string; signed_at: string; genuine: boolean }>; awaiting_signatures: number; form_version: number; unasked: Array<string>; amended: boolean; amended_form_data: (string | null); amendments: Array<{ id: string; at: string; by: { kind: string; id: string }; changes: (Record<string, unknown> | null); statement: (string | null); reason: (string | null); requested_by: (string | null); before_hash: string }>; work_state: string; assignee_id: (string | null); note_count: number } };
  };
  readSubscriber: {
    params: { id: string | number };
    query: { with_stats?: string | number | boolean | string[] | undefined; subscription_list_id?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: { data: { id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } } };
  };
  readSubscriberStory: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { subscriber_id: string; lists: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }>; mailings: Array<{ campaign_mailing_id: string; campaign_mailing_send_id: string; subject: string; state: string; rule: (string | null); settled_at: (string | null); opened_at: (string | null); clicked_at: (string | null); unsubscribed_at: (string | null) }>; drip_campaigns: Array<{ id: string; name: string; state: string; reason: (string | null); step: string; entered_at: string; ended_at: (string | null) }>; submissions: Array<{ form_id: string; submission_id: string; submitted_at: string }>; consent: Array<{ at: string; change: string; source: string; subscription_list_id: (string | null); subscription_list_name: (string | null); text: (string | null); evidence: Record<string, (string | number)> }> } };
  };
  readSubscription: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("subscription"); attributes: { subscription_list_id: string; subscriber_id: number; subscriber_uuid: string; pending: boolean; unsubscribed_at: (string | null); created_at: string } } };
  };
  readSubscriptionList: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("subscription_list"); attributes: { name: string; is_default: boolean; subscriber_count: number; form_id: (string | null); double_opt_in: boolean; consent_text: (string | null); created_at: string; updated_at: string } } };
  };
  readTemplate: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { id: number; name: string; api_customer_id: number; body: string; subject: (string | null); version: number; strict: boolean; allow_raw_html: boolean; variables: Array<string>; created_at: string; updated_at: string; metadata: Record<string, unknown> };
  };
  readWebhook: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; target_url: string; status: ("active" | "disabled"); events: Array<string>; ordered: boolean; failing: boolean; created_at: string; updated_at: string } };
  };
  readWebhookDelivery: {
    params: { id: string | number; delivery_id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; sequence: number; event_name: string; source_tracking_id: (string | null); test: boolean; state: ("pending" | "delivered" | "failed"); attempts: number; next_attempt_at: (string | null); created_at: string; settled_at: (string | null); log: Array<{ attempt: number; started_at: string; finished_at: (string | null); outcome: (string | null); status: (number | null) }> } };
  };
  readWebhookEndpoint: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { id: number; api_customer_id: number; target_url: string; events: Array<string>; active: boolean; ordered: boolean; failing: boolean; signing_key?: string | undefined; created_at: string; updated_at: string; data: { id: number; api_customer_id: number; target_url: string; events: Array<string>; active: boolean; ordered: boolean; failing: boolean; signing_key?: string | undefined; created_at: string; updated_at: string }; message?: string | undefined };
  };
  readWork: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { work_state: string; assignee_id: (string | null); note_count: number } };
  };
  receiveForm: {
    params: undefined;
    query: undefined;
    body: { form_id: string; email?: (string | null) | undefined; first_name?: (string | null) | undefined; last_name?: (string | null) | undefined; custom_fields?: (Array<Record<string, unknown>> | Record<string, unknown> | null) | undefined };
    reply: { success: boolean };
  };
  releaseHold: {
    params: { id: string | number };
    query: undefined;
    body: { reason: string };
    reply: Record<string, unknown>;
  };
  removeMember: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  removePasskey: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  removeTotp: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  renameCustomer: {
    params: undefined;
    query: undefined;
    body: { name: string };
    reply: { id: number; name: string; username: string; created_at: string; closed_at: (string | null) };
  };
  replaceCampaignMailing: {
    params: { id: string | number };
    query: undefined;
    body: { campaign_mailing: { subject?: (string | null) | undefined; default_subject?: (string | null) | undefined; preheader?: (string | null) | undefined; from?: (string | null) | undefined; reply_to?: (string | null) | undefined; html_part?: (string | null) | undefined; text_part?: (string | null) | undefined; mjml_part?: (string | null) | undefined; blocks?: unknown | undefined; form_data?: unknown | undefined; template_type?: (string | null) | undefined }; if_updated_at?: (string | null) | undefined };
    reply: { data: { id: string; updated_at?: string | undefined } };
  };
  replaceDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: { drip_campaign: { name?: (string | null) | undefined; subscription_list_id?: (string | number | null) | undefined; start_trigger?: (string | null) | undefined; form_id?: (string | null) | undefined; date?: ({ field: string; every?: (string | null) | undefined; days?: (number | null) | undefined; time?: (string | null) | undefined } | null) | undefined; steps?: unknown | undefined; drip_campaign_nodes?: unknown | undefined; drip_campaign_tree_blob?: unknown | undefined; reentry?: (string | null) | undefined; goal?: unknown | undefined; time_zone?: (string | null) | undefined; sender_email?: (string | null) | undefined; from_name?: (string | null) | undefined; reply_to?: (string | null) | undefined; publish_share?: (number | null) | undefined }; if_updated_at?: (string | null) | undefined };
    reply: { data: { id: string; type: ("drip_campaign"); attributes: { name: string; subscription_list_id: string; subscription_list_name: string; state: string; updated_at: string; start_trigger: string; subscriber_count: number; subscriber_completed_count: number; steps: Array<unknown>; drip_campaign_nodes: string; drip_campaign_tree_blob: string; outdated_steps: Array<string>; trigger: { form_id: (string | null); date: ({ field: string; every: string; days: number; time: string } | null) }; reentry: string; goal: unknown; time_zone: string; sender_email: (string | null); from_name: (string | null); reply_to: (string | null); version: number; live_version: (number | null); trial_version: (number | null); trial_share: (number | null); created_at: string; started_at: (string | null); paused_at: (string | null); completed_at: (string | null) } } };
  };
  replaceDynamicList: {
    params: { id: string | number };
    query: undefined;
    body: { name?: (string | null) | undefined; filters?: unknown | undefined; rule?: (string | null) | undefined; dynamic_list?: ({ name?: (string | null) | undefined; filters?: unknown | undefined; rule?: (string | null) | undefined } | null) | undefined; if_updated_at?: (string | null) | undefined };
    reply: { data: { id: string; type: ("dynamic_list"); attributes: { name: string; filters: Array<Array<{ field: string; op: string; terms: Array<string> }>>; rule: string; subscriber_count: (number | null); counted_at: (string | null); created_at: string; updated_at: string } } };
  };
  replaceSubscriber: {
    params: { id: string | number };
    query: { with_stats?: string | number | boolean | string[] | undefined; subscription_list_id?: string | number | boolean | string[] | undefined };
    body: { subscriber: { email?: (string | null) | undefined; phone_number?: (string | null) | undefined; first_name?: (string | null) | undefined; last_name?: (string | null) | undefined; time_zone?: (string | null) | undefined; custom_fields?: (Array<Record<string, unknown>> | null) | undefined }; subscription_list_id?: (string | number | null) | undefined; if_updated_at?: (string | null) | undefined };
    reply: { data: { id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } } };
  };
  replaceSubscriptionList: {
    params: { id: string | number };
    query: undefined;
    body: (({ name?: (string | null) | undefined; double_opt_in?: (boolean | (0) | (1) | string | null) | undefined; consent_text?: (string | null) | undefined }) & ({ subscription_list?: { name?: (string | null) | undefined; double_opt_in?: (boolean | (0) | (1) | string | null) | undefined; consent_text?: (string | null) | undefined } | undefined })) & ({ if_updated_at?: (string | null) | undefined });
    reply: { data: { id: string; type: ("subscription_list"); attributes: { name: string; is_default: boolean; subscriber_count: number; form_id: (string | null); double_opt_in: boolean; consent_text: (string | null); created_at: string; updated_at: string } } };
  };
  replaceTemplate: {
    params: { id: string | number };
    query: undefined;
    body: { name?: (string | null) | undefined; body?: (string | null) | undefined; subject?: (string | null) | undefined; strict?: (boolean | (0) | (1) | string | null) | undefined; allow_raw_html?: (boolean | (0) | (1) | string | null) | undefined; data?: { name?: (string | null) | undefined; body?: (string | null) | undefined; subject?: (string | null) | undefined; strict?: (boolean | (0) | (1) | string | null) | undefined; allow_raw_html?: (boolean | (0) | (1) | string | null) | undefined } | undefined; if_updated_at?: (string | null) | undefined };
    reply: { id: number; message: string; params: { name: string; body: { size: number; version: number } }; updated_at: string };
  };
  replaceWebhookEndpoint: {
    params: { id: string | number };
    query: undefined;
    body: { target_url?: (string | null) | undefined; events?: ((Array<string> | string) | null) | undefined; signing_key?: (string | null) | undefined; api_key?: (string | null) | undefined; active?: (boolean | (0) | (1) | string | null) | undefined; ordered?: (boolean | (0) | (1) | string | null) | undefined };
    reply: { id: number; api_customer_id: number; target_url: string; events: Array<string>; active: boolean; ordered: boolean; failing: boolean; signing_key?: string | undefined; created_at: string; updated_at: string; data: { id: number; api_customer_id: number; target_url: string; events: Array<string>; active: boolean; ordered: boolean; failing: boolean; signing_key?: string | undefined; created_at: string; updated_at: string }; message?: string | undefined };
  };
  replayWebhookDeliveries: {
    params: { id: string | number };
    query: undefined;
    body: { delivery_id?: string | undefined; from_sequence?: number | undefined; to_sequence?: number | undefined; since?: string | undefined; until?: string | undefined };
    reply: { data: { replayed: number } };
  };
  resetMemberFactors: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  resetPassword: {
    params: undefined;
    query: undefined;
    body: { token: string; password: string };
    reply: Record<string, unknown>;
  };
  resumeCampaignMailingSend: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("campaign_mailing_send"); attributes: { campaign_mailing_id: string; version: number; jid: string; state: string; subscription_list_id: (string | null); dynamic_list_id: (string | null); sender_email: string; from_name: (string | null); subject: (string | null); send_at: string; started_at: (string | null); finished_at: (string | null); created_at: string; people: number; sent: number; delivered: number; soft_bounced: number; hard_bounced: number; suppressed: number; excluded: number; uncertain: number; cancelled: number; viewed: number; clicked: number; unsubscribed: number; global_unsubscribed: number } } };
  };
  resumeDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: { policy?: (string | null) | undefined };
    reply: { data: { drip_campaign_id: string; status: string } };
  };
  retrySideJob: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  revokeApiKey: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  rotateSendingDomainKeys: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; domain: string; state: ("pending" | "verified" | "failing"); verified_at: (string | null); checked_at: (string | null); missing_since: (string | null); return_path: boolean; warm_up: boolean; created_at: string; records: Array<{ purpose: ("ownership" | "dkim" | "spf" | "dmarc" | "return_path"); type: ("TXT" | "CNAME"); name: string; value: string; required: boolean; key: (("pending" | "active" | "retired") | null); removable_after: (string | null); status: ("unchecked" | "found" | "missing" | "differs" | "unanswered"); found: Array<string> }> } };
  };
  rotateWebhookSecret: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; target_url: string; status: ("active" | "disabled"); events: Array<string>; ordered: boolean; failing: boolean; created_at: string; updated_at: string; signing_secret: string }; message: string };
  };
  scheduleCampaignMailing: {
    params: undefined;
    query: undefined;
    body: { campaign_mailing_id: (string | number); send_at?: unknown | undefined; campaign_mailing_send?: { sender_email?: (string | null) | undefined; from_email?: (string | null) | undefined; from_name?: (string | null) | undefined; subject?: (string | null) | undefined; subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; recipient_emails?: (Array<string> | string | null) | undefined; per_second?: (number | null) | undefined; per_domain_per_minute?: (number | null) | undefined; send_window?: ({ from: string; to: string; days?: Array<number> | undefined; time_zone?: string | undefined } | null) | undefined } | undefined; sender_email?: (string | null) | undefined; from_email?: (string | null) | undefined; from_name?: (string | null) | undefined; subject?: (string | null) | undefined; subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; recipient_emails?: (Array<string> | string | null) | undefined; per_second?: (number | null) | undefined; per_domain_per_minute?: (number | null) | undefined; send_window?: ({ from: string; to: string; days?: Array<number> | undefined; time_zone?: string | undefined } | null) | undefined };
    reply: { data: { send_at: string; send_at_timestamp: number; jid: string } };
  };
  scheduleMessage: {
    params: undefined;
    query: undefined;
    body: { data: { message: { template_id?: (number | (string | null | Array<unknown>)) | undefined; template_variables?: (Record<string, unknown> | (string | null | Array<unknown>)) | undefined; override_open_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; override_link_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; unsubscribe_url?: (string | null | Array<unknown>) | undefined; recipients: Array<(string | null)>; cc?: (Array<(string | null)> | string | null) | undefined; bcc?: (Array<(string | null)> | string | null) | undefined; headers: Record<string, unknown>; content?: ({ "text/plain"?: (string | null | Array<unknown>) | undefined; "text/html"?: (string | null | Array<unknown>) | undefined } | (null | ("")) | Array<unknown>) | undefined; attachments?: (Array<{ fileName?: (string | null | Array<unknown>) | undefined; file_name?: (string | null | Array<unknown>) | undefined; contentType?: (string | null | Array<unknown>) | undefined; content_type?: (string | null | Array<unknown>) | undefined; content?: (string | null | Array<unknown>) | undefined; contentId?: (string | null | Array<unknown>) | undefined; disposition?: (string | null | Array<unknown>) | undefined }> | (null | (""))) | undefined; allowNonTLS?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; allow_non_tls?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; forceSecureNotification?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; force_secure_notification?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined }; scheduled_at: string; template_id?: (number | (string | null | Array<unknown>)) | undefined; template_variables?: (Record<string, unknown> | (string | null | Array<unknown>)) | undefined; override_open_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; override_link_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; unsubscribe_url?: (string | null | Array<unknown>) | undefined } };
    reply: { sourceTrackingId: string; scheduledAt: string; state: ("pending"); data: ("Service OK") };
  };
  searchSubscribers: {
    params: undefined;
    query: undefined;
    body: { items?: number | undefined; page?: number | undefined; search?: (string | null) | undefined; order_by?: (string | null) | undefined; order?: (string | null) | undefined; subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; filters?: unknown | undefined };
    reply: { data: Array<{ id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } }>; total_count: number; search_after: (string | null); page_info: { count: number; pages: number; page: number; items: number } };
  };
  sendBulkMessages: {
    params: undefined;
    query: undefined;
    body: { data: { messages: Array<unknown> } };
    reply: { messages: Array<{ sourceTrackingId: string; customHeaders: Record<string, string>; data: ("Service OK") }> };
  };
  sendCampaignMailing: {
    params: undefined;
    query: undefined;
    body: { campaign_mailing_id: (string | number); campaign_mailing_send: { sender_email?: (string | null) | undefined; from_email?: (string | null) | undefined; from_name?: (string | null) | undefined; subject?: (string | null) | undefined; subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; recipient_emails?: (Array<string> | string | null) | undefined; per_second?: (number | null) | undefined; per_domain_per_minute?: (number | null) | undefined; send_window?: ({ from: string; to: string; days?: Array<number> | undefined; time_zone?: string | undefined } | null) | undefined } };
    reply: Record<string, unknown>;
  };
  sendMessage: {
    params: undefined;
    query: undefined;
    body: { data: { message: { template_id?: (number | (string | null | Array<unknown>)) | undefined; template_variables?: (Record<string, unknown> | (string | null | Array<unknown>)) | undefined; override_open_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; override_link_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; unsubscribe_url?: (string | null | Array<unknown>) | undefined; recipients: Array<(string | null)>; cc?: (Array<(string | null)> | string | null) | undefined; bcc?: (Array<(string | null)> | string | null) | undefined; headers: Record<string, unknown>; content?: ({ "text/plain"?: (string | null | Array<unknown>) | undefined; "text/html"?: (string | null | Array<unknown>) | undefined } | (null | ("")) | Array<unknown>) | undefined; attachments?: (Array<{ fileName?: (string | null | Array<unknown>) | undefined; file_name?: (string | null | Array<unknown>) | undefined; contentType?: (string | null | Array<unknown>) | undefined; content_type?: (string | null | Array<unknown>) | undefined; content?: (string | null | Array<unknown>) | undefined; contentId?: (string | null | Array<unknown>) | undefined; disposition?: (string | null | Array<unknown>) | undefined }> | (null | (""))) | undefined; allowNonTLS?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; allow_non_tls?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; forceSecureNotification?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; force_secure_notification?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined }; template_id?: (number | (string | null | Array<unknown>)) | undefined; template_variables?: (Record<string, unknown> | (string | null | Array<unknown>)) | undefined; override_open_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; override_link_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; unsubscribe_url?: (string | null | Array<unknown>) | undefined } };
    reply: { sourceTrackingId: string; customHeaders: Record<string, string>; data: ("Service OK") };
  };
  sendTemplatedMessage: {
    params: undefined;
    query: undefined;
    body: { data: { template_name: string; template_values?: unknown | undefined; message: { template_id?: (number | (string | null | Array<unknown>)) | undefined; template_variables?: (Record<string, unknown> | (string | null | Array<unknown>)) | undefined; override_open_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; override_link_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; unsubscribe_url?: (string | null | Array<unknown>) | undefined; recipients: Array<(string | null)>; cc?: (Array<(string | null)> | string | null) | undefined; bcc?: (Array<(string | null)> | string | null) | undefined; headers: Record<string, unknown>; content?: unknown | undefined; attachments?: (Array<{ fileName?: (string | null | Array<unknown>) | undefined; file_name?: (string | null | Array<unknown>) | undefined; contentType?: (string | null | Array<unknown>) | undefined; content_type?: (string | null | Array<unknown>) | undefined; content?: (string | null | Array<unknown>) | undefined; contentId?: (string | null | Array<unknown>) | undefined; disposition?: (string | null | Array<unknown>) | undefined }> | (null | (""))) | undefined; allowNonTLS?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; allow_non_tls?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; forceSecureNotification?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; force_secure_notification?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined }; override_open_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; override_link_tracking?: ((boolean | (0) | (1) | string | null) | Array<unknown>) | undefined; unsubscribe_url?: (string | null | Array<unknown>) | undefined } };
    reply: { sourceTrackingId: string; customHeaders: Record<string, string>; data: ("Service OK") };
  };
  sendTestEmail: {
    params: { id: string | number };
    query: { to_email?: string | number | boolean | string[] | undefined };
    body: undefined;
    reply: undefined;
  };
  sendTestMailing: {
    params: { id: string | number };
    query: undefined;
    body: { to_email: string };
    reply: undefined;
  };
  sendTestWebhook: {
    params: { id: string | number };
    query: undefined;
    body: { event_name?: string | undefined };
    reply: { data: { delivery_id: string } };
  };
  setHold: {
    params: undefined;
    query: undefined;
    body: { kind: ("customer" | "person" | "form" | "submission" | "message"); target?: string | undefined; email?: string | undefined; reason: string };
    reply: { id: string };
  };
  setOversight: {
    params: undefined;
    query: undefined;
    body: { security_contact: (string | null); review_days: number; review_due_days: number; if_updated_at?: (string | null) | undefined };
    reply: { security_contact: (string | null); review_days: number; review_due_days: number; updated_at: string };
  };
  setRetention: {
    params: undefined;
    query: undefined;
    body: { content_days?: (number | null) | undefined; sandbox_days?: (number | null) | undefined; log_days?: (number | null) | undefined; webhook_days?: (number | null) | undefined; work_days?: (number | null) | undefined; marketing_days?: (number | null) | undefined; audit_years?: (number | null) | undefined; form_default_days?: (number | null) | undefined };
    reply: { content_days: (number | null); sandbox_days: (number | null); log_days: (number | null); webhook_days: (number | null); work_days: (number | null); marketing_days: (number | null); audit_years: (number | null); operator: { content_days: number; sandbox_days: number; log_days: number; webhook_days: number; work_days: number; marketing_days: number; audit_years: number }; backup_days: number; export_days: number; mailing_days: number; form_default_days: (number | null) };
  };
  setUpUser: {
    params: undefined;
    query: undefined;
    body: { token: string; password: string; name?: string | undefined };
    reply: { state: ("enrol" | "factor"); csrf: string };
  };
  showSubmission: {
    params: { id: string | number; sid: string | number };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  signAgreement: {
    params: undefined;
    query: undefined;
    body: { signer_name: string; signer_title: string; accepted: (true); version: string };
    reply: { id: string };
  };
  signIn: {
    params: undefined;
    query: undefined;
    body: { email: string; password: string };
    reply: { state: ("enrol" | "factor"); csrf: string };
  };
  signInstallationReview: {
    params: { id: string | number };
    query: undefined;
    body: { notes: string };
    reply: { id: string; from: string; to: string; state: ("open" | "overdue" | "signed"); due_at: string; signed_at: (string | null); signed_by: (string | null); own: boolean; findings_count: number; notes: (string | null); findings: Array<{ kind: ("reads_volume" | "reads_odd_hours" | "reads_many_records" | "exports" | "sign_in_failures" | "keys_and_roles" | "break_glass" | "vault" | "deletions"); actor: { kind: string; id: string }; count: number; past: (number | null); action: (string | null); where: string }> };
  };
  signInWithPasskey: {
    params: undefined;
    query: undefined;
    body: { credential: { id: string; rawId: string; type: ("public-key"); response: { clientDataJSON: string; authenticatorData: string; signature: string }; clientExtensionResults: Record<string, unknown> } };
    reply: { state: ("open"); csrf: string };
  };
  signInWithRecoveryCode: {
    params: undefined;
    query: undefined;
    body: { code: string };
    reply: { state: ("open"); csrf: string };
  };
  signInWithTotp: {
    params: undefined;
    query: undefined;
    body: { code: string };
    reply: { state: ("open"); csrf: string };
  };
  signOut: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  signReview: {
    params: { id: string | number };
    query: undefined;
    body: { notes: string };
    reply: { id: string; from: string; to: string; state: ("open" | "overdue" | "signed"); due_at: string; signed_at: (string | null); signed_by: (string | null); own: boolean; findings_count: number; notes: (string | null); findings: Array<{ kind: ("reads_volume" | "reads_odd_hours" | "reads_many_records" | "exports" | "sign_in_failures" | "keys_and_roles" | "break_glass" | "vault" | "deletions"); actor: { kind: string; id: string }; count: number; past: (number | null); action: (string | null); where: string }> };
  };
  simulateDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: { version?: (number | null) | undefined; steps?: unknown | undefined; people?: (Array<{ subscriber_id?: (string | null) | undefined; email?: (string | null) | undefined; phone_number?: (string | null) | undefined; first_name?: (string | null) | undefined; last_name?: (string | null) | undefined; time_zone?: (string | null) | undefined; custom_fields?: (Array<Record<string, unknown>> | null) | undefined }> | null) | undefined; sample?: (number | null) | undefined; start_at?: (string | null) | undefined; until?: (string | null) | undefined; events?: (Array<unknown> | null) | undefined; opens?: (boolean | null) | undefined; clicks?: (boolean | null) | undefined };
    reply: { data: { complete: boolean; ran_until: string; people: Array<{ person: number; subscriber_id: (string | null); enters: boolean; state: (string | null); reason: (string | null); step: (string | null); due_at: (string | null); ended_at: (string | null); path: Array<{ step: string; at: string; outcome: (string | null) }>; mails: Array<{ step: string; at: string; campaign_mailing_id: string; subject: (string | null) }> }> } };
  };
  startDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: { enroll_existing?: (boolean | (0) | (1) | string | null) | undefined };
    reply: { data: { jids: Array<string> } };
  };
  startImport: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("import"); attributes: { state: string; dry_run: boolean; subscription_list_id: (string | null); columns: (Array<(string | null)> | null); encoding: (string | null); delimiter: (string | null); bytes: number; bytes_done: number; rows_done: number; created: number; updated: number; unchanged: number; skipped: number; opted_out: number; removed: number; restored: number; kept: number; held_subscriber_ids: Array<string>; failure: (string | null); created_at: string; finished_at: (string | null); undone_at: (string | null) } } };
  };
  stepUpWithPasskey: {
    params: undefined;
    query: undefined;
    body: { credential: { id: string; rawId: string; type: ("public-key"); response: { clientDataJSON: string; authenticatorData: string; signature: string }; clientExtensionResults: Record<string, unknown> } };
    reply: { state: ("open"); csrf: string };
  };
  stepUpWithTotp: {
    params: undefined;
    query: undefined;
    body: { code: string };
    reply: { state: ("open"); csrf: string };
  };
  submitForm: {
    params: { id: string | number };
    query: undefined;
    body: { form_data: Record<string, unknown>; sealed?: (string | null) | undefined; attachments?: (Array<{ name?: (string | null) | undefined; fileName?: (string | null) | undefined; contentType?: (string | null) | undefined; field?: (string | null) | undefined; content?: string | undefined; upload?: string | undefined }> | null) | undefined; signature?: ({ name?: (string | null) | undefined; image?: (string | null) | undefined } | null) | undefined; form_version?: (number | string | null) | undefined; gate?: ({ password?: (string | null) | undefined; link?: (string | null) | undefined; proof?: (string | null) | undefined } | null) | undefined };
    reply: undefined;
  };
  subscribePeople: {
    params: undefined;
    query: undefined;
    body: { subscriber_ids?: (Array<(string | number)> | null) | undefined; from_subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; search?: (string | null) | undefined; filters?: unknown | undefined; except_ids?: (Array<(string | number)> | null) | undefined; subscription_list_ids?: (Array<(string | number)> | null) | undefined };
    reply: { data: (Array<{ id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } }> | { jid: string }) };
  };
  subscribeSegment: {
    params: undefined;
    query: undefined;
    body: { subscriber_ids?: (Array<(string | number)> | null) | undefined; from_subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; search?: (string | null) | undefined; filters?: unknown | undefined; except_ids?: (Array<(string | number)> | null) | undefined; subscription_list_ids?: (Array<(string | number)> | null) | undefined };
    reply: { data: (Array<{ id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } }> | { jid: string }) };
  };
  takeBackNote: {
    params: { id: string | number; sid: string | number; nid: string | number };
    query: undefined;
    body: undefined;
    reply: { detail: string };
  };
  unarchiveForm: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { detail: string };
  };
  undoImport: {
    params: { id: string | number };
    query: undefined;
    body: undefined;
    reply: { data: { id: string; type: ("import"); attributes: { state: string; dry_run: boolean; subscription_list_id: (string | null); columns: (Array<(string | null)> | null); encoding: (string | null); delimiter: (string | null); bytes: number; bytes_done: number; rows_done: number; created: number; updated: number; unchanged: number; skipped: number; opted_out: number; removed: number; restored: number; kept: number; held_subscriber_ids: Array<string>; failure: (string | null); created_at: string; finished_at: (string | null); undone_at: (string | null) } } };
  };
  unscheduleCampaignMailing: {
    params: { jid: string | number };
    query: undefined;
    body: undefined;
    reply: Record<string, unknown>;
  };
  unsubscribePeople: {
    params: undefined;
    query: undefined;
    body: { subscriber_ids?: (Array<(string | number)> | null) | undefined; from_subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; search?: (string | null) | undefined; filters?: unknown | undefined; except_ids?: (Array<(string | number)> | null) | undefined; subscription_list_ids?: (Array<(string | number)> | null) | undefined };
    reply: { data: (Array<{ id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } }> | { jid: string }) };
  };
  unsubscribeSegment: {
    params: undefined;
    query: undefined;
    body: { subscriber_ids?: (Array<(string | number)> | null) | undefined; from_subscription_list_id?: (string | number | null) | undefined; dynamic_list_id?: (string | null) | undefined; search?: (string | null) | undefined; filters?: unknown | undefined; except_ids?: (Array<(string | number)> | null) | undefined; subscription_list_ids?: (Array<(string | number)> | null) | undefined };
    reply: { data: (Array<{ id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } }> | { jid: string }) };
  };
  updateCampaignMailing: {
    params: { id: string | number };
    query: undefined;
    body: { campaign_mailing: { subject?: (string | null) | undefined; default_subject?: (string | null) | undefined; preheader?: (string | null) | undefined; from?: (string | null) | undefined; reply_to?: (string | null) | undefined; html_part?: (string | null) | undefined; text_part?: (string | null) | undefined; mjml_part?: (string | null) | undefined; blocks?: unknown | undefined; form_data?: unknown | undefined; template_type?: (string | null) | undefined }; if_updated_at?: (string | null) | undefined };
    reply: { data: { id: string; updated_at?: string | undefined } };
  };
  updateCustomFieldType: {
    params: { id: string | number };
    query: undefined;
    body: { name?: (string | null) | undefined; kind?: (string | null) | undefined; class?: (string | null) | undefined };
    reply: { data: { id: string; type: ("subscriber_custom_field_type"); attributes: { name: string; kind: string; class: string } } };
  };
  updateDripCampaign: {
    params: { id: string | number };
    query: undefined;
    body: { drip_campaign: { name?: (string | null) | undefined; subscription_list_id?: (string | number | null) | undefined; start_trigger?: (string | null) | undefined; form_id?: (string | null) | undefined; date?: ({ field: string; every?: (string | null) | undefined; days?: (number | null) | undefined; time?: (string | null) | undefined } | null) | undefined; steps?: unknown | undefined; drip_campaign_nodes?: unknown | undefined; drip_campaign_tree_blob?: unknown | undefined; reentry?: (string | null) | undefined; goal?: unknown | undefined; time_zone?: (string | null) | undefined; sender_email?: (string | null) | undefined; from_name?: (string | null) | undefined; reply_to?: (string | null) | undefined; publish_share?: (number | null) | undefined }; if_updated_at?: (string | null) | undefined };
    reply: { data: { id: string; type: ("drip_campaign"); attributes: { name: string; subscription_list_id: string; subscription_list_name: string; state: string; updated_at: string; start_trigger: string; subscriber_count: number; subscriber_completed_count: number; steps: Array<unknown>; drip_campaign_nodes: string; drip_campaign_tree_blob: string; outdated_steps: Array<string>; trigger: { form_id: (string | null); date: ({ field: string; every: string; days: number; time: string } | null) }; reentry: string; goal: unknown; time_zone: string; sender_email: (string | null); from_name: (string | null); reply_to: (string | null); version: number; live_version: (number | null); trial_version: (number | null); trial_share: (number | null); created_at: string; started_at: (string | null); paused_at: (string | null); completed_at: (string | null) } } };
  };
  updateDynamicList: {
    params: { id: string | number };
    query: undefined;
    body: { name?: (string | null) | undefined; filters?: unknown | undefined; rule?: (string | null) | undefined; dynamic_list?: ({ name?: (string | null) | undefined; filters?: unknown | undefined; rule?: (string | null) | undefined } | null) | undefined; if_updated_at?: (string | null) | undefined };
    reply: { data: { id: string; type: ("dynamic_list"); attributes: { name: string; filters: Array<Array<{ field: string; op: string; terms: Array<string> }>>; rule: string; subscriber_count: (number | null); counted_at: (string | null); created_at: string; updated_at: string } } };
  };
  updateEmailSettings: {
    params: undefined;
    query: undefined;
    body: { open_tracking?: boolean | undefined; link_tracking?: boolean | undefined };
    reply: { data: { open_tracking: boolean; link_tracking: boolean } };
  };
  updateForm: {
    params: { id: string | number };
    query: undefined;
    body: { title?: (string | null) | undefined; form_json?: (Record<string, unknown> | null) | undefined; customer_id?: ((number | string) | null) | undefined; description?: (string | null) | undefined; form_html?: (string | null) | undefined; form_css?: (string | null) | undefined; recipient?: (string | null) | undefined; signable?: (boolean | (0) | (1) | string | null) | undefined; signature_confirmation_label?: (string | null) | undefined; subscription_list_id?: (number | string | null) | undefined; type?: (string | null) | undefined; vanity_url?: (string | null) | undefined; active?: (boolean | (0) | (1) | string | null) | undefined; version?: (number | string | null) | undefined; if_updated_at?: (string | null) | undefined };
    reply: { detail: string; form_id: string };
  };
  updateFormPage: {
    params: { id: string | number };
    query: undefined;
    body: { closes_at?: (string | null) | undefined; most_submissions?: (number | ("") | null) | undefined; password?: (string | null) | undefined; single_use?: (boolean | (0) | (1) | string | null) | undefined; frame_origins?: (Array<string> | null) | undefined; resumable?: (boolean | (0) | (1) | string | null) | undefined; proof_of_work?: (("off") | ("monitor") | ("enforce") | null) | undefined; traps?: (("off") | ("monitor") | ("enforce") | null) | undefined; sealed_to?: (Array<string> | null) | undefined; if_updated_at?: (string | null) | undefined };
    reply: { closes_at: (string | null); most_submissions: (number | null); has_password: boolean; single_use: boolean; frame_origins: Array<string>; resumable: boolean; proof_of_work: string; traps: string; sealed_to: Array<string>; updated_at: string };
  };
  updateFormRetention: {
    params: { id: string | number };
    query: undefined;
    body: { retention_days: (number | null) };
    reply: { retention_days: (number | null) };
  };
  updateIncident: {
    params: { id: string | number };
    query: undefined;
    body: { discovered_at: string; breach_from: (string | null); breach_to: (string | null); severity: ("low" | "medium" | "high" | "critical"); what_happened: string; information: string; steps: string; doing: string; contact: string; scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null) };
    reply: { id: string; severity: ("low" | "medium" | "high" | "critical"); state: ("open" | "contained" | "closed"); discovered_at: string; breach_from: (string | null); breach_to: (string | null); notice_due_at: string; days_left: number; opened_at: string; closed_at: (string | null); scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null); what_happened: string; information: string; steps: string; doing: string; contact: string; timeline: Array<{ at: string; author: { kind: string; id: string }; state: ("open" | "contained" | "closed"); text: string }> };
  };
  updateInstallationIncident: {
    params: { id: string | number };
    query: undefined;
    body: { discovered_at: string; breach_from: (string | null); breach_to: (string | null); severity: ("low" | "medium" | "high" | "critical"); what_happened: string; information: string; steps: string; doing: string; contact: string; scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null) };
    reply: { id: string; severity: ("low" | "medium" | "high" | "critical"); state: ("open" | "contained" | "closed"); discovered_at: string; breach_from: (string | null); breach_to: (string | null); notice_due_at: string; days_left: number; opened_at: string; closed_at: (string | null); scope: ({ actor_kind: ("key" | "user" | "break-glass" | "cli"); actor_id: string; from: string; to: string } | null); what_happened: string; information: string; steps: string; doing: string; contact: string; timeline: Array<{ at: string; author: { kind: string; id: string }; state: ("open" | "contained" | "closed"); text: string }> };
  };
  updateMe: {
    params: undefined;
    query: undefined;
    body: { name: string };
    reply: { name: string };
  };
  updateSendingDomain: {
    params: { id: string | number };
    query: undefined;
    body: { warm_up?: boolean | undefined };
    reply: { data: { id: string; domain: string; state: ("pending" | "verified" | "failing"); verified_at: (string | null); checked_at: (string | null); missing_since: (string | null); return_path: boolean; warm_up: boolean; created_at: string; records: Array<{ purpose: ("ownership" | "dkim" | "spf" | "dmarc" | "return_path"); type: ("TXT" | "CNAME"); name: string; value: string; required: boolean; key: (("pending" | "active" | "retired") | null); removable_after: (string | null); status: ("unchecked" | "found" | "missing" | "differs" | "unanswered"); found: Array<string> }> } };
  };
  updateSubscriber: {
    params: { id: string | number };
    query: { with_stats?: string | number | boolean | string[] | undefined; subscription_list_id?: string | number | boolean | string[] | undefined };
    body: { subscriber: { email?: (string | null) | undefined; phone_number?: (string | null) | undefined; first_name?: (string | null) | undefined; last_name?: (string | null) | undefined; time_zone?: (string | null) | undefined; custom_fields?: (Array<Record<string, unknown>> | null) | undefined }; subscription_list_id?: (string | number | null) | undefined; if_updated_at?: (string | null) | undefined };
    reply: { data: { id: string; type: ("subscriber"); attributes: { email: (string | null); phone_number: (string | null); first_name: (string | null); last_name: (string | null); full_name: string; time_zone: (string | null); unsubscribed: boolean; created_at: string; updated_at: string; custom_fields?: Array<{ subscriber_custom_field_type_id: string; custom_field_name: string; custom_field_value: string; name: string; value: string }> | undefined; subscription_lists?: Array<{ id: string; name: string; unsubscribed: boolean; pending: boolean }> | undefined; statistics?: { deliveries: number; delivered: number; opened: number; clicked: number; soft_bounced: number; hard_bounced: number; unsubscribed: number; global_unsubscribed: number } | undefined } } };
  };
  updateSubscriptionList: {
    params: { id: string | number };
    query: undefined;
    body: (({ name?: (string | null) | undefined; double_opt_in?: (boolean | (0) | (1) | string | null) | undefined; consent_text?: (string | null) | undefined }) & ({ subscription_list?: { name?: (string | null) | undefined; double_opt_in?: (boolean | (0) | (1) | string | null) | undefined; consent_text?: (string | null) | undefined } | undefined })) & ({ if_updated_at?: (string | null) | undefined });
    reply: { data: { id: string; type: ("subscription_list"); attributes: { name: string; is_default: boolean; subscriber_count: number; form_id: (string | null); double_opt_in: boolean; consent_text: (string | null); created_at: string; updated_at: string } } };
  };
  updateTemplate: {
    params: { id: string | number };
    query: undefined;
    body: { name?: (string | null) | undefined; body?: (string | null) | undefined; subject?: (string | null) | undefined; strict?: (boolean | (0) | (1) | string | null) | undefined; allow_raw_html?: (boolean | (0) | (1) | string | null) | undefined; data?: { name?: (string | null) | undefined; body?: (string | null) | undefined; subject?: (string | null) | undefined; strict?: (boolean | (0) | (1) | string | null) | undefined; allow_raw_html?: (boolean | (0) | (1) | string | null) | undefined } | undefined; if_updated_at?: (string | null) | undefined };
    reply: { id: number; message: string; params: { name: string; body: { size: number; version: number } }; updated_at: string };
  };
  updateWebhook: {
    params: { id: string | number };
    query: undefined;
    body: { target_url?: string | undefined; events?: Array<string> | undefined; status?: ("active" | "disabled") | undefined; ordered?: boolean | undefined; if_updated_at?: (string | null) | undefined };
    reply: { data: { id: string; target_url: string; status: ("active" | "disabled"); events: Array<string>; ordered: boolean; failing: boolean; created_at: string; updated_at: string } };
  };
  updateWebhookEndpoint: {
    params: { id: string | number };
    query: undefined;
    body: { target_url?: (string | null) | undefined; events?: ((Array<string> | string) | null) | undefined; signing_key?: (string | null) | undefined; api_key?: (string | null) | undefined; active?: (boolean | (0) | (1) | string | null) | undefined; ordered?: (boolean | (0) | (1) | string | null) | undefined };
    reply: { id: number; api_customer_id: number; target_url: string; events: Array<string>; active: boolean; ordered: boolean; failing: boolean; signing_key?: string | undefined; created_at: string; updated_at: string; data: { id: number; api_customer_id: number; target_url: string; events: Array<string>; active: boolean; ordered: boolean; failing: boolean; signing_key?: string | undefined; created_at: string; updated_at: string }; message?: string | undefined };
  };
  verifyAuditLog: {
    params: undefined;
    query: undefined;
    body: undefined;
    reply: { state: ("never" | "running" | "sound" | "broken"); asked_at: (string | null); finished_at: (string | null); checked: number; total: number; fault: ({ row: (number | null); reason: string } | null) };
  };
  whoRead: {
    params: undefined;
    query: { actor_kind: string | number | boolean | string[]; actor: string | number | boolean | string[]; from: string | number | boolean | string[]; to: string | number | boolean | string[] };
    body: undefined;
    reply: { rows: number; records: number; people: Array<{ name: (string | null); email: (string | null); phone: (string | null); first_at: string; last_at: string; records: Array<{ kind: string; id: string }> }>; nameless: Array<{ kind: string; id: string }> };
  };
  withdrawSigner: {
    params: { id: string | number; sid: string | number; signer: string | number };
    query: undefined;
    body: undefined;
    reply: { detail: string };
  };
}
