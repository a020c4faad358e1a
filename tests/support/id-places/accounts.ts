import type { Owner } from '../owner.ts';
import { inSession, NO_UUID, type Place, spellings } from './place.ts';

/** The id of somebody of the team before what is done about them. */
const ofMember = (method: string, rest: string, body?: object): Place[] => [
  inSession(method, (id) => `/app/api/team/${id}${rest}`, {
    foreign: ({ person }: Owner) => spellings(person.userId),
    unknown: NO_UUID,
    ...(body && { body }),
  }),
];

/** The ids in requests about an account, and about the installation. */
export const ACCOUNT_PLACES: Record<string, Place[]> = {
  readHome: [],
  dismissChecklist: [],
  listTeam: [],
  inviteMember: [],
  inviteMemberAgain: ofMember('POST', '/invite_again'),
  changeMemberRole: ofMember('PATCH', '', { role: 'reader' }),
  removeMember: ofMember('DELETE', ''),
  resetMemberFactors: ofMember('POST', '/reset_factors'),
  listApiKeys: [],
  createApiKey: [],
  revokeApiKey: [
    inSession('DELETE', (id) => `/app/api/api_keys/${id}`, {
      foreign: ({ keyId }) => [keyId],
      unknown: NO_UUID,
    }),
  ],
  readAgreement: [],
  signAgreement: [],
  readAgreementPdf: [],
  listAgreements: [],
  listAuditLog: [],
  listAuditActions: [],
  exportAuditLog: [],
  readAuditVerification: [],
  verifyAuditLog: [],
  listHolds: [],
  setHold: (['form', 'submission', 'message'] as const).map((kind) => ({
    ...inSession('POST', () => '/app/api/holds', {
      foreign: ({ formIds, submissionIds, messageId }: Owner) =>
        spellings({ form: formIds[0], submission: submissionIds[0], message: messageId }[kind]),
      unknown: NO_UUID,
      name: 'target',
    }),
    ask: (app, { person: { cookie, csrf } }, id) =>
      app.request('POST', '/app/api/holds', {
        headers: { cookie, 'x-csrf-token': csrf },
        body: { kind, target: id, reason: 'A claim' },
      }),
  })),
  releaseHold: [
    inSession('POST', (id) => `/app/api/holds/${id}/release`, {
      foreign: ({ holdId }) => spellings(holdId),
      unknown: NO_UUID,
      body: { reason: 'Over' },
    }),
  ],
  readRetention: [],
  setRetention: [],
  readCustomer: [],
  renameCustomer: [],
  closeCustomer: [],
  listCustomers: [],
  createCustomer: [],
  readQueues: [],
  listNodes: [],
  listSideJobs: [],
  retrySideJob: [],
  readStorage: [],
  readHealth: [],
};
