import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/room-route.ts';

const setUp = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyRouteComponent(() => import('./set-up.tsx'), 'SetUp'),
});

const forgot = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot',
  component: lazyRouteComponent(() => import('./forgot.tsx'), 'Forgot'),
});

const reset = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset',
  component: lazyRouteComponent(() => import('./reset.tsx'), 'Reset'),
});

export const sessionRoutes = [setUp, forgot, reset] as const;
