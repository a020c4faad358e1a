import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { roomRoute } from '../../shell/room-route.ts';
import { readView } from './views.ts';

/** Where forms are begun and built. */
export const formBuilderRoutes = [
  createRoute({
    getParentRoute: () => roomRoute,
    path: '/forms/new',
    component: lazyRouteComponent(() => import('./start/new-form-page.tsx'), 'NewFormPage'),
  }),
  createRoute({
    getParentRoute: () => roomRoute,
    path: '/forms/$id/edit',
    validateSearch: readView,
    component: lazyRouteComponent(() => import('./edit-form-page.tsx'), 'EditFormPage'),
  }),
] as const;
