import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { NotFound } from './not-found.tsx';
import { RootGate } from './root-gate.tsx';

export const rootRoute = createRootRoute({ component: RootGate, notFoundComponent: NotFound });

/** The parent of every page that only those see who are signed in with their second factor. */
export const roomRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'room',
  component: lazyRouteComponent(() => import('./layout.tsx'), 'Layout'),
});

/** The bare address of a room, which leads to a place in it. */
export function leadTo(path: string, to: string) {
  return createRoute({
    getParentRoute: () => roomRoute,
    path,
    beforeLoad: () => redirect({ to, throw: true }),
  });
}
