import { createRouter } from '@tanstack/react-router';
import { emailRoutes } from './email/routes.ts';
import { formBuilderRoutes } from './forms/builder/routes.ts';
import { formRoutes } from './forms/routes.ts';
import { homeRoutes } from './home/routes.ts';
import { audienceRoutes } from './marketing/audience-routes.ts';
import { dripRoutes } from './marketing/drips/routes.ts';
import { mailingRoutes } from './marketing/mailings/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { oversightRoutes } from './oversight/routes.ts';
import { accountRoutes } from './session/account-routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { forgetPlacesOutside } from './session/use-remembered.ts';
import { settingsRoutes } from './settings/routes.ts';
import { FailedPage } from './shell/failed-page.tsx';
import { roomRoute, rootRoute } from './shell/room-route.ts';

const rooms = roomRoute.addChildren([
  ...homeRoutes,
  ...emailRoutes,
  ...formRoutes,
  ...formBuilderRoutes,
  ...audienceRoutes,
  ...mailingRoutes,
  ...dripRoutes,
  ...settingsRoutes,
  ...accountRoutes,
  ...operatorRoutes,
  ...oversightRoutes,
]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([...sessionRoutes, rooms]),
  basepath: '/app',
  defaultPreload: 'intent',
  // Nothing that was begun about one thing is there when another one is shown.
  defaultRemountDeps: ({ params }) => params,
  defaultErrorComponent: FailedPage,
  scrollRestoration: true,
});

router.subscribe('onResolved', ({ toLocation }) => forgetPlacesOutside(toLocation.pathname));
