import { Building2, FileText, Gauge, House, type LucideIcon, Mail, Megaphone, Settings } from 'lucide-react';
import type { SessionUser } from '../session/session.ts';
import { words } from '../words/shell.ts';

type Role = SessionUser['role'];

export interface Place {
  label: string;
  to: string;
  /** Who finds it here; everybody where nothing is said. */
  roles?: readonly Role[];
}

export interface Room {
  label: string;
  icon: LucideIcon;
  to: string;
  places: readonly Place[];
}

const STAFF: readonly Role[] = ['owner', 'admin', 'editor'];
const ADMINS: readonly Role[] = ['owner', 'admin'];

const CUSTOMER_ROOMS: readonly Room[] = [
  { label: words.home, icon: House, to: '/', places: [] },
  {
    label: words.email,
    icon: Mail,
    to: '/email',
    places: [
      { label: words.messages, to: '/email/messages', roles: STAFF },
      { label: words.templates, to: '/email/templates' },
      { label: words.domains, to: '/email/domains' },
      { label: words.suppressions, to: '/email/suppressions', roles: STAFF },
      { label: words.webhooks, to: '/email/webhooks' },
      { label: words.sandbox, to: '/email/sandbox', roles: STAFF },
    ],
  },
  {
    label: words.forms,
    icon: FileText,
    to: '/forms',
    places: [
      { label: words.allForms, to: '/forms/all' },
      { label: words.exports, to: '/forms/exports', roles: STAFF },
    ],
  },
  {
    label: words.marketing,
    icon: Megaphone,
    to: '/marketing',
    places: [
      { label: words.subscribers, to: '/marketing/subscribers', roles: STAFF },
      { label: words.lists, to: '/marketing/lists' },
      { label: words.segments, to: '/marketing/segments', roles: STAFF },
      { label: words.imports, to: '/marketing/imports', roles: STAFF },
      { label: words.mailings, to: '/marketing/mailings' },
      { label: words.drips, to: '/marketing/drips' },
      { label: words.reports, to: '/marketing/reports' },
    ],
  },
  {
    label: words.settings,
    icon: Settings,
    to: '/settings',
    places: [
      { label: words.team, to: '/settings/team' },
      { label: words.keys, to: '/settings/keys', roles: ADMINS },
      { label: words.agreement, to: '/settings/agreement' },
      { label: words.audit, to: '/settings/audit', roles: ADMINS },
      { label: words.retention, to: '/settings/retention', roles: ADMINS },
      { label: words.reviews, to: '/settings/reviews', roles: ADMINS },
      { label: words.incidents, to: '/settings/incidents', roles: ADMINS },
      { label: words.emergency, to: '/settings/emergency', roles: ADMINS },
      { label: words.clinic, to: '/settings/clinic', roles: ['owner'] },
      { label: words.account, to: '/settings/account' },
    ],
  },
];

const OPERATOR_ROOMS: readonly Room[] = [
  {
    label: words.operator,
    icon: Gauge,
    to: '/operator',
    places: [
      { label: words.health, to: '/operator/health' },
      { label: words.queues, to: '/operator/queues' },
      { label: words.nodes, to: '/operator/nodes' },
      { label: words.jobs, to: '/operator/jobs' },
      { label: words.storage, to: '/operator/storage' },
      { label: words.reviews, to: '/operator/reviews' },
      { label: words.incidents, to: '/operator/incidents' },
      { label: words.emergency, to: '/operator/emergency' },
    ],
  },
  {
    label: words.customers,
    icon: Building2,
    to: '/operator/customers',
    places: [],
  },
  {
    label: words.settings,
    icon: Settings,
    to: '/settings',
    places: [{ label: words.account, to: '/settings/account' }],
  },
];

/** The rooms that a role finds in the dashboard, with the places in each. */
export function roomsOf(role: Role): Room[] {
  const rooms = role === 'operator' ? OPERATOR_ROOMS : CUSTOMER_ROOMS;
  return rooms.map((room) => ({
    ...room,
    places: room.places.filter(({ roles }) => roles === undefined || roles.includes(role)),
  }));
}

/** Whether a role finds this place, or the one that it is within; one that stands in no room is for everybody. */
export function mayGo(role: Role, to: string): boolean {
  if (role !== 'operator' && `${to}/`.startsWith('/operator/')) return false;
  const places = CUSTOMER_ROOMS.flatMap((room) => room.places).filter((place) => `${to}/`.startsWith(`${place.to}/`));
  return places.every(({ roles }) => roles === undefined || roles.includes(role));
}
