import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { roomRoute } from '../../shell/room-route.ts';

const listRoute = createRoute({
  getParentRoute: () => roomRoute,
  path: '/marketing/drips',
  component: lazyRouteComponent(() => import('./list/page.tsx'), 'DripsPage'),
});

const newRoute = createRoute({
  getParentRoute: () => roomRoute,
  path: '/marketing/drips/new',
  component: lazyRouteComponent(() => import('./start/page.tsx'), 'NewDripPage'),
});

const dripRoute = createRoute({
  getParentRoute: () => roomRoute,
  path: '/marketing/drips/$id',
  component: lazyRouteComponent(() => import('./page.tsx'), 'DripPage'),
});

const stepsRoute = createRoute({
  getParentRoute: () => dripRoute,
  path: '/',
  validateSearch: ({ view }: Record<string, unknown>): { view?: 'outline' } =>
    view === 'outline' ? { view: 'outline' } : {},
  component: lazyRouteComponent(() => import('./steps/page.tsx'), 'StepsPage'),
});

const peopleRoute = createRoute({
  getParentRoute: () => dripRoute,
  path: '/people',
  validateSearch: ({ state, step }: Record<string, unknown>): { state?: string; step?: string } => ({
    ...(typeof state === 'string' ? { state } : {}),
    ...(typeof step === 'string' ? { step } : {}),
  }),
  component: lazyRouteComponent(() => import('./people/page.tsx'), 'PeoplePage'),
});

const versionsRoute = createRoute({
  getParentRoute: () => dripRoute,
  path: '/versions',
  validateSearch: ({ version }: Record<string, unknown>): { version?: number } =>
    typeof version === 'number' ? { version } : {},
  component: lazyRouteComponent(() => import('./versions/page.tsx'), 'VersionsPage'),
});

const machineRoute = createRoute({
  getParentRoute: () => dripRoute,
  path: '/time-machine',
  component: lazyRouteComponent(() => import('./machine/page.tsx'), 'TimeMachinePage'),
});

/** Drip campaigns: the list, a new one, and one with its tabs. */
export const dripRoutes = [
  listRoute,
  newRoute,
  dripRoute.addChildren([stepsRoute, peopleRoute, versionsRoute, machineRoute]),
] as const;
