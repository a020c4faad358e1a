import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { roomRoute } from '../shell/room-route.ts';

const at = { getParentRoute: () => roomRoute };

const customerEmergency = createRoute({
  ...at,
  path: '/settings/emergency',
  component: lazyRouteComponent(() => import('./customer-emergency.tsx'), 'CustomerEmergencyPage'),
});

const operatorEmergency = createRoute({
  ...at,
  path: '/operator/emergency',
  component: lazyRouteComponent(() => import('./operator-emergency.tsx'), 'OperatorEmergencyPage'),
});

const customerReviews = createRoute({
  ...at,
  path: '/settings/reviews',
  component: lazyRouteComponent(() => import('./reviews.tsx'), 'ReviewsPage'),
});

const customerReview = createRoute({
  ...at,
  path: '/settings/reviews/$reviewId',
  component: lazyRouteComponent(() => import('./review.tsx'), 'ReviewPage'),
});

const operatorReviews = createRoute({
  ...at,
  path: '/operator/reviews',
  component: lazyRouteComponent(() => import('./reviews.tsx'), 'ReviewsPage'),
});

const operatorReview = createRoute({
  ...at,
  path: '/operator/reviews/$reviewId',
  component: lazyRouteComponent(() => import('./review.tsx'), 'ReviewPage'),
});

const customerIncidents = createRoute({
  ...at,
  path: '/settings/incidents',
  component: lazyRouteComponent(() => import('./incidents.tsx'), 'IncidentsPage'),
});

const customerIncident = createRoute({
  ...at,
  path: '/settings/incidents/$incidentId',
  component: lazyRouteComponent(() => import('./incident.tsx'), 'IncidentPage'),
});

const operatorIncidents = createRoute({
  ...at,
  path: '/operator/incidents',
  component: lazyRouteComponent(() => import('./incidents.tsx'), 'IncidentsPage'),
});

const operatorIncident = createRoute({
  ...at,
  path: '/operator/incidents/$incidentId',
  component: lazyRouteComponent(() => import('./incident.tsx'), 'IncidentPage'),
});

export const oversightRoutes = [
  customerEmergency,
  operatorEmergency,
  customerReviews,
  customerReview,
  operatorReviews,
  operatorReview,
  customerIncidents,
  customerIncident,
  operatorIncidents,
  operatorIncident,
] as const;
