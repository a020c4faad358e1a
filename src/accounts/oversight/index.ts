export { askForAccess, MOST_MINUTES } from './break-glass/ask.ts';
export { countBreakGlassCodes, makeBreakGlassCodes } from './break-glass/codes.ts';
export { endAccess } from './break-glass/end.ts';
export { enterCustomer, leaveCustomer } from './break-glass/enter.ts';
export {
  findGrantCustomer,
  findOpenGrant,
  type Grant,
  listGrants,
  listGrantsOf,
  openReason,
  readGrant,
  stateOf,
} from './break-glass/grant.ts';
export { openAccess, requireGrantCustomer, type WhichGrant } from './break-glass/open.ts';
export { type GrantNews, TELL_OF_GRANT } from './break-glass/tell.ts';
export { addEntry, createIncident, type NewIncident, updateIncident } from './incidents/change.ts';
export {
  findIncident,
  type Incident,
  type IncidentEntry,
  listIncidents,
  noticeDue,
  openIncident,
  type SavedScope,
  type Told,
} from './incidents/incident.ts';
export type { RecordRef } from './reads/records-of.ts';
export {
  addReads,
  READER_KINDS,
  type ReadRecord,
  type ReadScope,
  type Reads,
  type ReadWhole,
  whoRead,
} from './reads/who-read.ts';
export { FINDING_KINDS, type Finding } from './reviews/findings.ts';
export { makeDueReviews, TELL_OF_OVERDUE, tellOfOverdue } from './reviews/make-due.ts';
export { countOverdue, findReview, listReviews, openNotes, type Review, reviewState } from './reviews/review.ts';
export { signReview } from './reviews/sign.ts';
export { OVERSIGHT_SEALED_COLUMNS } from './sealed-columns.ts';
export { type OversightSettings, readContacts, readOversightSettings, setOversightSettings } from './settings.ts';
export { INCIDENT_STATES, SEVERITIES } from './tables.ts';
