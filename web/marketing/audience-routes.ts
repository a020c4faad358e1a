import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { leadTo, roomRoute } from '../shell/room-route.ts';
import { readPeopleSearch } from './subscribers/choice.ts';

const inRoom = { getParentRoute: () => roomRoute } as const;

/** People, the lists that they are on, the segments that find them, and the files that they came with. */
export const audienceRoutes = [
  leadTo('/marketing', '/marketing/lists'),
  createRoute({
    ...inRoom,
    path: '/marketing/subscribers',
    validateSearch: readPeopleSearch,
    component: lazyRouteComponent(() => import('./subscribers/page.tsx'), 'SubscribersPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/marketing/subscribers/fields',
    component: lazyRouteComponent(() => import('./subscribers/fields-page.tsx'), 'FieldsPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/marketing/subscribers/jobs',
    component: lazyRouteComponent(() => import('./subscribers/jobs-page.tsx'), 'JobsPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/marketing/subscribers/$id',
    component: lazyRouteComponent(() => import('./subscribers/person-page.tsx'), 'PersonPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/marketing/lists',
    component: lazyRouteComponent(() => import('./lists/page.tsx'), 'ListsPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/marketing/lists/$id',
    component: lazyRouteComponent(() => import('./lists/list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/marketing/segments',
    component: lazyRouteComponent(() => import('./segments/page.tsx'), 'SegmentsPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/marketing/segments/new',
    component: lazyRouteComponent(() => import('./segments/new-page.tsx'), 'NewSegmentPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/marketing/segments/$id',
    component: lazyRouteComponent(() => import('./segments/segment-page.tsx'), 'SegmentPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/marketing/imports',
    component: lazyRouteComponent(() => import('./imports/page.tsx'), 'ImportsPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/marketing/imports/new',
    validateSearch: ({ list }: Record<string, unknown>) => readPeopleSearch({ list }),
    component: lazyRouteComponent(() => import('./imports/new-page.tsx'), 'NewImportPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/marketing/imports/$id',
    component: lazyRouteComponent(() => import('./imports/import-page.tsx'), 'ImportPage'),
  }),
] as const;
