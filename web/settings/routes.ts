import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { leadTo, roomRoute } from '../shell/room-route.ts';
import { readAuditSearch } from './audit/search.ts';

const team = createRoute({
  getParentRoute: () => roomRoute,
  path: '/settings/team',
  component: lazyRouteComponent(() => import('./team/page.tsx'), 'TeamPage'),
});

const keys = createRoute({
  getParentRoute: () => roomRoute,
  path: '/settings/keys',
  component: lazyRouteComponent(() => import('./keys/page.tsx'), 'KeysPage'),
});

const agreement = createRoute({
  getParentRoute: () => roomRoute,
  path: '/settings/agreement',
  component: lazyRouteComponent(() => import('./agreement/page.tsx'), 'AgreementPage'),
});

const audit = createRoute({
  getParentRoute: () => roomRoute,
  path: '/settings/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./audit/page.tsx'), 'AuditPage'),
});

const retention = createRoute({
  getParentRoute: () => roomRoute,
  path: '/settings/retention',
  component: lazyRouteComponent(() => import('./retention/page.tsx'), 'RetentionPage'),
});

const clinic = createRoute({
  getParentRoute: () => roomRoute,
  path: '/settings/clinic',
  component: lazyRouteComponent(() => import('./clinic/page.tsx'), 'ClinicPage'),
});

export const settingsRoutes = [
  leadTo('/settings', '/settings/account'),
  team,
  keys,
  agreement,
  audit,
  retention,
  clinic,
] as const;
