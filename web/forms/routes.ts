import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { leadTo, roomRoute } from '../shell/room-route.ts';
import { readFormsSearch } from './list/search.ts';
import { readSubmissionsSearch } from './submissions/search.ts';

const list = createRoute({
  getParentRoute: () => roomRoute,
  path: '/forms/all',
  validateSearch: readFormsSearch,
  component: lazyRouteComponent(() => import('./list/page.tsx'), 'FormsPage'),
});

const exports = createRoute({
  getParentRoute: () => roomRoute,
  path: '/forms/exports',
  component: lazyRouteComponent(() => import('./exports/page.tsx'), 'ExportsPage'),
});

const overview = createRoute({
  getParentRoute: () => roomRoute,
  path: '/forms/$id',
  component: lazyRouteComponent(() => import('./form/overview.tsx'), 'OverviewPage'),
});

const submissions = createRoute({
  getParentRoute: () => roomRoute,
  path: '/forms/$id/submissions',
  validateSearch: readSubmissionsSearch,
  component: lazyRouteComponent(() => import('./submissions/page.tsx'), 'SubmissionsPage'),
});

const submission = createRoute({
  getParentRoute: () => roomRoute,
  path: '/forms/$id/submissions/$sid',
  component: lazyRouteComponent(() => import('./submissions/one/page.tsx'), 'SubmissionPage'),
});

const versions = createRoute({
  getParentRoute: () => roomRoute,
  path: '/forms/$id/versions',
  component: lazyRouteComponent(() => import('./versions/page.tsx'), 'VersionsPage'),
});

const share = createRoute({
  getParentRoute: () => roomRoute,
  path: '/forms/$id/share',
  component: lazyRouteComponent(() => import('./share/page.tsx'), 'SharePage'),
});

const retention = createRoute({
  getParentRoute: () => roomRoute,
  path: '/forms/$id/retention',
  component: lazyRouteComponent(() => import('./form/retention.tsx'), 'RetentionPage'),
});

export const formRoutes = [
  leadTo('/forms', '/forms/all'),
  list,
  exports,
  overview,
  submissions,
  submission,
  versions,
  share,
  retention,
] as const;
