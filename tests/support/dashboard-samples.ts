const PASSKEY = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
  clientExtensionResults: {},
};
const NEW_PASSKEY = {
  ...PASSKEY,
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports: ['usb'] },
};
const INCIDENT = {
  discovered_at: '2026-01-02T03:04:05Z',
  breach_from: '2026-01-01T00:00:00Z',
  breach_to: '2026-01-02T00:00:00Z',
  severity: 'high',
  what_happened: 'A key was lost',
  information: 'Names',
  steps: 'Be wary',
  doing: 'The key was revoked',
  contact: 'privacy@example.org',
  scope: {
    actor_kind: 'key',
    actor_id: '01890000-0000-7000-8000-000000000000',
    from: '2026-01-01T00:00:00Z',
    to: '2026-01-02T00:00:00Z',
  },
};
const CODE = { code: '000000' };
const PASSWORD = 'correct horse battery staple';

/** A body with every field for each operation that is for people alone. */
export const DASHBOARD_SAMPLES: Record<string, object> = {
  setUpUser: { token: 'no such token', password: PASSWORD, name: 'Ann' },
  signIn: { email: 'nobody@example.org', password: PASSWORD },
  signInWithTotp: CODE,
  signInWithRecoveryCode: CODE,
  signInWithPasskey: { credential: PASSKEY },
  stepUpWithTotp: CODE,
  stepUpWithPasskey: { credential: PASSKEY },
  confirmTotp: CODE,
  addPasskey: { name: 'My laptop', credential: NEW_PASSKEY },
  updateMe: { name: 'Ann' },
  forgetPassword: { email: 'nobody@example.org' },
  resetPassword: { token: 'no such token', password: PASSWORD },
  changePassword: { current: 'not the one', password: PASSWORD },
  askForAddress: { email: 'wanted@example.org', password: PASSWORD },
  changeAddress: { email: 'wanted@example.org', until: '2030-01-01T00:00:00.000Z', code: '00000000' },
  askForUnansweredMessage: { operation: 'sendMessage', key: 'nothing was sent by this one' },
  inviteMember: { email: 'invited@example.org', name: 'Ben', role: 'reader' },
  changeMemberRole: { role: 'editor' },
  createApiKey: { name: 'New', mode: 'live', scopes: ['forms', 'email'], expires_at: null },
  signAgreement: { signer_name: 'Ann Lee', signer_title: 'Director', accepted: true, version: '2026-1' },
  setRetention: {
    form_default_days: 365,
    content_days: 10,
    sandbox_days: 10,
    log_days: 400,
    webhook_days: 10,
    work_days: 10,
    marketing_days: 400,
    audit_years: 7,
  },
  setHold: { kind: 'form', target: 'no such form', email: 'ann@example.org', reason: 'Lee v. Clinic' },
  releaseHold: { reason: 'Settled' },
  renameCustomer: { name: 'Maple Street Clinic' },
  closeCustomer: { confirm: 'not the username' },
  askForBreakGlass: { customer_id: 1, reason: 'nobody can sign in any more', minutes: 30 },
  openBreakGlass: { code: 'abcde-abcde-abcde-abcde' },
  setOversight: { security_contact: 'security@example.org', review_days: 30, review_due_days: 7 },
  signReview: { notes: 'Seen' },
  signInstallationReview: { notes: 'Seen' },
  createIncident: INCIDENT,
  updateIncident: INCIDENT,
  addIncidentEntry: { text: 'Noted', state: 'contained' },
  createInstallationIncident: INCIDENT,
  updateInstallationIncident: INCIDENT,
  addInstallationIncidentEntry: { text: 'Noted', state: 'contained' },
  createCustomer: { name: 'Reserved', username: 'email', owner_email: 'first@example.org' },
};

/** What counts and writes down whatever is wrong with it: the tests of signing in tell how. */
export const CEREMONIES = new Set([
  'signIn',
  'signInWithTotp',
  'signInWithRecoveryCode',
  'signInWithPasskey',
  'stepUpWithTotp',
  'stepUpWithPasskey',
  'confirmTotp',
  'addPasskey',
  'forgetPassword',
  'changePassword',
  'askForAddress',
  'changeAddress',
]);

/** What a sample is answered with that names nothing, or nothing that may be done. */
export const SAMPLE_REFUSALS: Record<string, number> = {
  setUpUser: 404,
  resetPassword: 404,
  closeCustomer: 400,
  setHold: 404,
  releaseHold: 404,
  openBreakGlass: 404,
  signReview: 404,
  signInstallationReview: 404,
  updateIncident: 404,
  addIncidentEntry: 404,
  updateInstallationIncident: 404,
  addInstallationIncidentEntry: 404,
  createCustomer: 400,
};
