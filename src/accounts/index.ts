export { signAgreement } from './agreement/sign.ts';
export { agreementText } from './agreement/text.ts';
export {
  type Agreement,
  endAgreements,
  endAgreementsIn,
  hasAgreement,
  listAgreements,
  type NewAgreement,
  recordAgreement,
} from './agreements.ts';
export {
  createApiKey,
  type KeyDescription,
  listApiKeys,
  revokeAllKeys,
  revokeApiKey,
  showApiKeyAgain,
} from './api-keys.ts';
export { type Checkpoint, readCheckpoint } from './audit/checkpoint.ts';
export { storedCheckpoints } from './audit/checkpoint-lines.ts';
export { type AuditEntry, type AuditFilter, listAuditActions, readAuditLog, walkAuditLog } from './audit/read-log.ts';
export { type AuditRow, auditRow, recordAct } from './audit/record.ts';
export { removeOldAudit } from './audit/remove-old.ts';
export { recordRestore } from './audit/restores.ts';
export { createSealer, type Sealer, sealAndSign } from './audit/sealer.ts';
export { createRestoreFollower, type SetAside } from './audit/set-aside.ts';
export { isSigned } from './audit/signed-head.ts';
export { INSTALLATION, loadSigningKey, type SigningKey } from './audit/signing-key.ts';
export { endOf, readStretches } from './audit/stretch.ts';
export { askForVerification, carryOutVerification, readVerification, VERIFY_AUDIT } from './audit/verification.ts';
export { type AuditReport, verifyAudit, verifyCustomerAudit } from './audit/verify.ts';
export { askForAddress, changeAddress } from './change-address.ts';
export { changePassword } from './change-password.ts';
export {
  type CustomerDescription,
  createCustomer,
  customerName,
  holdCustomer,
  listCustomers,
  listTenants,
  readCustomer,
  requireCustomer,
  requireOpen,
  updateCustomer,
} from './customers.ts';
export { destroyCustomerKeys } from './destroy-keys.ts';
export { endPerson, endPersonIn, resetFactors, resetFactorsIn } from './end-person.ts';
export { factorsIn, type Methods, methodsOf } from './factors/methods.ts';
export {
  addPasskey,
  creationOptions,
  listPasskeys,
  type RelyingParty,
  removePasskey,
  requestOptions,
  takePasskey,
} from './factors/passkeys.ts';
export { makeRecoveryCodes, takeRecoveryCode } from './factors/recovery-codes.ts';
export { showFactor } from './factors/show-factor.ts';
export { confirmTotp, enrolTotp, removeTotp, takeTotp } from './factors/totp.ts';
export { findKeyOwner, findOwnKey } from './find-key-owner.ts';
export { findUserCustomer } from './find-user-customer.ts';
export { holdPerson } from './hold-person.ts';
export { hasHolds, notHeld, requireNotHeld, requireNothingHeld, shareHolds } from './holds/held.ts';
export { hasHoldsBeyondPeople, heldAddresses, requireNoHoldOn, requireOnlyPeopleHeld } from './holds/held-people.ts';
export { type Held, HOLD_KINDS, type Hold } from './holds/hold.ts';
export { listHolds } from './holds/list-holds.ts';
export { releaseHold } from './holds/release-hold.ts';
export { setHold } from './holds/set-hold.ts';
export { createKeyCache, type KeyCache } from './key-cache.ts';
export * from './oversight/index.ts';
export { requireOwnPassword } from './own-password.ts';
export { createPasswordQueue, type PasswordQueue } from './password-queue.ts';
export { hashPassword, isPassword } from './passwords.ts';
export { decodePublicKey, encodePublicKey, fingerprintOf } from './public-key.ts';
export { readName } from './read-name.ts';
export { repeatedSecret } from './repeated-secret.ts';
export {
  chooseRetention,
  overrideAuditRetention,
  type RetentionChoice,
  type RetentionTimes,
  readRetentionChoice,
  retentionOf,
  WAY_OUT_DAYS,
} from './retention/settings.ts';
export { agentInWords } from './sessions/agent.ts';
export { beginSession, type SessionSecrets, type Who } from './sessions/begin-session.ts';
export { keepChallenge, takeChallenge } from './sessions/challenges.ts';
export { endSession, endSessions } from './sessions/end-sessions.ts';
export { listSessions } from './sessions/list-sessions.ts';
export { proveSession } from './sessions/prove-session.ts';
export { IDLE_MS } from './sessions/rules.ts';
export { createSessions, type Sessions } from './sessions/session-cache.ts';
export { sweepSessions } from './sessions/sweep-sessions.ts';
export { readAbout, rename, resetPassword, setPassword, setUpUser } from './set-up-user.ts';
export { makeSetupLink } from './setup-links.ts';
export { type FoundUser, findUser, signIn } from './sign-in.ts';
export { SignatureBroken, type Signed, signContents, verifyContents } from './signed-contents.ts';
export type { LinkKind } from './tables.ts';
export {
  changeRole,
  findMember,
  listTeam,
  lockTeam,
  type Member,
  requireMayChange,
  requireMayGive,
  requireOtherOwner,
  TEAM_ROLES,
  type TeamChange,
} from './team.ts';
export { createUser, createUserIn, requireAddress } from './users.ts';
