import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { leadTo, roomRoute } from '../shell/room-route.ts';

const health = createRoute({
  getParentRoute: () => roomRoute,
  path: '/operator/health',
  component: lazyRouteComponent(() => import('./health.tsx'), 'HealthPage'),
});

const queues = createRoute({
  getParentRoute: () => roomRoute,
  path: '/operator/queues',
  component: lazyRouteComponent(() => import('./queues.tsx'), 'QueuesPage'),
});

const nodes = createRoute({
  getParentRoute: () => roomRoute,
  path: '/operator/nodes',
  component: lazyRouteComponent(() => import('./nodes.tsx'), 'NodesPage'),
});

const jobs = createRoute({
  getParentRoute: () => roomRoute,
  path: '/operator/jobs',
  component: lazyRouteComponent(() => import('./jobs.tsx'), 'JobsPage'),
});

const storage = createRoute({
  getParentRoute: () => roomRoute,
  path: '/operator/storage',
  component: lazyRouteComponent(() => import('./storage.tsx'), 'StoragePage'),
});

const customers = createRoute({
  getParentRoute: () => roomRoute,
  path: '/operator/customers',
  component: lazyRouteComponent(() => import('./customers.tsx'), 'CustomersPage'),
});

export const operatorRoutes = [
  leadTo('/operator', '/operator/health'),
  health,
  queues,
  nodes,
  jobs,
  storage,
  customers,
] as const;
