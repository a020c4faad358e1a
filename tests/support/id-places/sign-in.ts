import { inSession, NO_UUID, type Place } from './place.ts';

/** The ids in requests about signing in. */
export const SIGN_IN_PLACES: Record<string, Place[]> = {
  setUpUser: [],
  signIn: [],
  signInWithTotp: [],
  signInWithRecoveryCode: [],
  beginSignInWithPasskey: [],
  signInWithPasskey: [],
  readSession: [],
  signOut: [],
  updateMe: [],
  stepUpWithTotp: [],
  beginStepUpWithPasskey: [],
  stepUpWithPasskey: [],
  listOwnSessions: [],
  endOwnSession: [
    inSession('DELETE', (id) => `/app/api/sessions/${id}`, {
      foreign: ({ leavingSessionId }) => [leavingSessionId],
      unknown: NO_UUID,
    }),
  ],
  endOtherSessions: [],
  readFactors: [],
  addTotp: [],
  confirmTotp: [],
  removeTotp: [],
  makeRecoveryCodes: [],
  beginPasskey: [],
  addPasskey: [],
  removePasskey: [
    inSession('DELETE', (id) => `/app/api/factors/passkeys/${id}`, {
      foreign: ({ passkeyId }) => [passkeyId],
      unknown: NO_UUID,
    }),
  ],
  forgetPassword: [],
  resetPassword: [],
  changePassword: [],
  askForAddress: [],
  changeAddress: [],
};
