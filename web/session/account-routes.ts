import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { roomRoute } from '../shell/room-route.ts';

const account = createRoute({
  getParentRoute: () => roomRoute,
  path: '/settings/account',
  component: lazyRouteComponent(() => import('./account/page.tsx'), 'AccountPage'),
});

export const accountRoutes = [account] as const;
