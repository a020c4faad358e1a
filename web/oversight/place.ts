import { useLocation } from '@tanstack/react-router';

const CUSTOMER = {
  isInstallation: false,
  reviews: {
    at: '/settings/reviews',
    one: '/settings/reviews/$reviewId',
    list: 'listReviews',
    read: 'readReview',
    sign: 'signReview',
  },
  incidents: {
    at: '/settings/incidents',
    one: '/settings/incidents/$incidentId',
    list: 'listIncidents',
    read: 'readIncident',
    create: 'createIncident',
    note: 'addIncidentEntry',
  },
} as const;

const INSTALLATION = {
  isInstallation: true,
  reviews: {
    at: '/operator/reviews',
    one: '/operator/reviews/$reviewId',
    list: 'listInstallationReviews',
    read: 'readInstallationReview',
    sign: 'signInstallationReview',
  },
  incidents: {
    at: '/operator/incidents',
    one: '/operator/incidents/$incidentId',
    list: 'listInstallationIncidents',
    read: 'readInstallationIncident',
    create: 'createInstallationIncident',
    note: 'addInstallationIncidentEntry',
  },
} as const;

/** Where reviews and incidents stand and what they are called by. */
export type Place = typeof CUSTOMER | typeof INSTALLATION;

/** The place of a page: the installation itself, where its address says so, or else a customer. */
export function usePlace(): Place {
  return useLocation().pathname.startsWith('/operator/') ? INSTALLATION : CUSTOMER;
}
