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
  inviteMember: { email: 'invited@example.org', name: 'Ben', role: 'reader' },
  changeMemberRole: { role: 'editor' },
  createApiKey: { name: 'New', mode: 'live', scopes: ['forms', 'email'], expires_at: null },
  signAgreement: { signer_name: 'Ann Lee', signer_title: 'Director', accepted: true, version: '2026-1' },
  setRetention: { form_default_days: 365 },
  renameCustomer: { name: 'Maple Street Clinic' },
  closeCustomer: { confirm: 'not the username' },
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
]);

/** What a sample is answered with that names nothing, or nothing that may be done. */
export const SAMPLE_REFUSALS: Record<string, number> = {
  setUpUser: 404,
  resetPassword: 404,
  closeCustomer: 400,
  createCustomer: 400,
};
