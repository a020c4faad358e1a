import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { roomRoute } from '../../shell/room-route.ts';
import { readReportSearch } from '../reports/search.ts';
import { readListSearch } from './list/search.ts';
import { readAudienceSearch } from './send/search.ts';
import { readSendSearch } from './sends/search.ts';

const at = { getParentRoute: () => roomRoute };

const listRoute = createRoute({
  ...at,
  path: '/marketing/mailings',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./list/page.tsx'), 'MailingsPage'),
});

const writeRoute = createRoute({
  ...at,
  path: '/marketing/mailings/$mailingId',
  component: lazyRouteComponent(() => import('./write/page.tsx'), 'WritePage'),
});

const sendRoute = createRoute({
  ...at,
  path: '/marketing/mailings/$mailingId/send',
  validateSearch: readAudienceSearch,
  component: lazyRouteComponent(() => import('./send/page.tsx'), 'SendPage'),
});

const sendsRoute = createRoute({
  ...at,
  path: '/marketing/mailings/$mailingId/sends',
  component: lazyRouteComponent(() => import('./sends/page.tsx'), 'SendsPage'),
});

const oneSendRoute = createRoute({
  ...at,
  path: '/marketing/mailings/sends/$sendId',
  validateSearch: readSendSearch,
  component: lazyRouteComponent(() => import('./sends/send-page.tsx'), 'OneSendPage'),
});

const reportsRoute = createRoute({
  ...at,
  path: '/marketing/reports',
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => import('../reports/page.tsx'), 'ReportsPage'),
});

/** The pages of mailings and of reports. */
export const mailingRoutes = [listRoute, writeRoute, sendRoute, sendsRoute, oneSendRoute, reportsRoute] as const;
