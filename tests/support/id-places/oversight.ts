import type { Owner } from '../owner.ts';
import { inSession, NO_UUID, type Place, spellings } from './place.ts';

const INCIDENT = {
  discovered_at: '2026-01-02T03:04:05Z',
  breach_from: null,
  breach_to: null,
  severity: 'low',
  what_happened: 'Something',
  information: '',
  steps: '',
  doing: '',
  contact: '',
  scope: null,
};

/** The id of something that is overseen, before what is done about it. */
const of =
  (path: string, idOf: (owner: Owner) => string) =>
  (method: string, rest: string, body?: object): Place[] => [
    inSession(method, (id) => `/app/api/${path}/${id}${rest}`, {
      foreign: (owner) => spellings(idOf(owner)),
      unknown: NO_UUID,
      ...(body && { body }),
    }),
  ];

const ofGrant = of('break_glass', ({ grantId }) => grantId);
const ofReview = of('reviews', ({ reviewId }) => reviewId);
const ofIncident = of('incidents', ({ incidentId }) => incidentId);

/** The ids in requests about emergency access, reviews and incidents. */
export const OVERSIGHT_PLACES: Record<string, Place[]> = {
  listEmergencyAccess: [],
  approveEmergencyAccess: ofGrant('POST', '/approve'),
  endEmergencyAccess: ofGrant('POST', '/end'),
  listBreakGlass: [],
  askForBreakGlass: [],
  openBreakGlass: [],
  enterBreakGlass: [],
  leaveBreakGlass: [],
  endBreakGlass: [],
  readOversight: [],
  setOversight: [],
  listReviews: [],
  readReview: ofReview('GET', ''),
  signReview: ofReview('POST', '/sign', { notes: 'seen' }),
  listInstallationReviews: [],
  readInstallationReview: [],
  signInstallationReview: [],
  listIncidents: [],
  createIncident: [],
  readIncident: ofIncident('GET', ''),
  updateIncident: ofIncident('PUT', '', INCIDENT),
  addIncidentEntry: ofIncident('POST', '/entries', { text: 'Noted' }),
  exportIncident: ofIncident('GET', '/export'),
  exportIncidentCsv: ofIncident('GET', '/individuals_csv'),
  listInstallationIncidents: [],
  createInstallationIncident: [],
  readInstallationIncident: [],
  updateInstallationIncident: [],
  addInstallationIncidentEntry: [],
  whoRead: [],
};

/** What belongs to the installation, or names whoever reads in the customer's own audit log. */
export const OVERSIGHT_PASSED_OVER: Record<string, string[]> = {
  askForBreakGlass: ['customer_id'],
  openBreakGlass: ['id'],
  enterBreakGlass: ['id'],
  endBreakGlass: ['id'],
  readInstallationReview: ['id'],
  signInstallationReview: ['id'],
  readInstallationIncident: ['id'],
  createIncident: ['actor_id'],
  updateIncident: ['actor_id'],
  createInstallationIncident: ['actor_id'],
  updateInstallationIncident: ['id', 'actor_id'],
  addInstallationIncidentEntry: ['id'],
};
