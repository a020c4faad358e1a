import { listGrantsOf, listIncidents, listReviews, noticeDue, reviewState, stateOf } from '../../../accounts/index.ts';
import { moment, ofEach, type ReadSection } from '../section.ts';

/** Emergency access: who asked, who opened it, and when it ended. Why stands sealed in the product. */
export const breakGlass: ReadSection = async (sources) => ({
  name: 'break-glass',
  title: 'Emergency access',
  about: 'Every access of an operator to a customer that was asked for in the period. The reasons are in the product.',
  columns: [
    'customer',
    'id',
    'operator',
    'asked',
    'minutes',
    'opened',
    'opened_by',
    'until',
    'ended',
    'ended_by',
    'state',
  ],
  rows: await ofEach(sources, async (customerId) => {
    const { db, clock } = sources.installation;
    const found = await listGrantsOf(db, { customerId, ...sources.period });
    return found.map((grant) => ({
      id: grant.id,
      operator: grant.operatorEmail,
      asked: moment(grant.askedAt),
      minutes: grant.minutes,
      opened: moment(grant.openedAt),
      opened_by: grant.openedByKind,
      until: moment(grant.expiresAt),
      ended: moment(grant.endedAt),
      ended_by: grant.endedByKind,
      state: stateOf(grant, clock.now()),
    }));
  }),
});

/** Activity reviews with their sign-offs, and those that nobody signed in time. */
export const reviews: ReadSection = async (sources) => ({
  name: 'activity-reviews',
  title: 'Activity reviews',
  about:
    'Every review that was made in the period, who signed it off, whether they are in its findings, and whether it is overdue.',
  columns: ['customer', 'id', 'from', 'to', 'made', 'due', 'findings', 'state', 'signed', 'signed_by', 'signed_own'],
  rows: await ofEach(sources, async (customerId) => {
    const { db, clock } = sources.installation;
    const found = await listReviews(db, { customerId, ...sources.period });
    return found.map((review) => ({
      id: review.id,
      from: moment(review.from),
      to: moment(review.to),
      made: moment(review.madeAt),
      due: moment(review.dueAt),
      findings: review.findings.length,
      state: reviewState(review, clock.now()),
      signed: moment(review.signedAt),
      signed_by: review.signedBy,
      signed_own: review.isOwn,
    }));
  }),
});

/** Incidents and until when those concerned have to be told. What happened stands sealed in the product. */
export const incidents: ReadSection = async (sources) => ({
  name: 'incidents',
  title: 'Incidents',
  about: 'Every incident that was discovered in the period. What happened is in the product, with its timeline.',
  columns: ['customer', 'id', 'discovered', 'severity', 'state', 'opened', 'notice_due', 'closed'],
  rows: await ofEach(sources, async (customerId) =>
    (await listIncidents(sources.installation.db, { customerId, ...sources.period })).map((incident) => ({
      id: incident.id,
      discovered: moment(incident.discoveredAt),
      severity: incident.severity,
      state: incident.state,
      opened: moment(incident.openedAt),
      notice_due: moment(noticeDue(incident)),
      closed: moment(incident.closedAt),
    })),
  ),
});
