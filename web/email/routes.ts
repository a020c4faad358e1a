import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { leadTo, roomRoute } from '../shell/room-route.ts';
import { readComposeSearch } from './compose/search.ts';
import { readMessagesSearch } from './messages/search.ts';
import { readSuppressionsSearch } from './suppressions/search.ts';

const inRoom = { getParentRoute: () => roomRoute } as const;

export const emailRoutes = [
  leadTo('/email', '/email/templates'),
  createRoute({
    ...inRoom,
    path: '/email/messages',
    validateSearch: readMessagesSearch,
    component: lazyRouteComponent(() => import('./messages/page.tsx'), 'MessagesPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/email/messages/new',
    validateSearch: readComposeSearch,
    component: lazyRouteComponent(() => import('./compose/page.tsx'), 'ComposePage'),
  }),
  createRoute({
    ...inRoom,
    path: '/email/messages/$id',
    component: lazyRouteComponent(() => import('./messages/message-page.tsx'), 'MessagePage'),
  }),
  createRoute({
    ...inRoom,
    path: '/email/templates',
    component: lazyRouteComponent(() => import('./templates/page.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/email/templates/$id',
    component: lazyRouteComponent(() => import('./templates/template-page.tsx'), 'TemplatePage'),
  }),
  createRoute({
    ...inRoom,
    path: '/email/domains',
    component: lazyRouteComponent(() => import('./domains/page.tsx'), 'DomainsPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/email/domains/$id',
    component: lazyRouteComponent(() => import('./domains/domain-page.tsx'), 'DomainPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/email/suppressions',
    validateSearch: readSuppressionsSearch,
    component: lazyRouteComponent(() => import('./suppressions/page.tsx'), 'SuppressionsPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/email/webhooks',
    component: lazyRouteComponent(() => import('./webhooks/page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/email/webhooks/$id',
    component: lazyRouteComponent(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    ...inRoom,
    path: '/email/sandbox',
    component: lazyRouteComponent(() => import('./sandbox/page.tsx'), 'SandboxPage'),
  }),
] as const;
