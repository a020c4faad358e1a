import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { roomRoute } from '../shell/room-route.ts';

const home = createRoute({
  getParentRoute: () => roomRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./page.tsx'), 'HomePage'),
});

export const homeRoutes = [home] as const;
