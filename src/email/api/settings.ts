import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { readTrackingSettings, saveTrackingSettings } from '../tracking/settings.ts';
import { DEFAULT_TRACKING, type TrackingSettings } from '../tracking/track.ts';

const Settings = Type.Object({ open_tracking: Type.Boolean(), link_tracking: Type.Boolean() });

const access = { scope: 'email' } as const;

/** What a customer wants of all its mail. */
export function settingsEndpoints({ db, clock }: { db: Database; clock: Clock }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/settings',
      operation: 'readEmailSettings',
      summary: 'Whether opens and links are followed',
      access,
      audit: null,
      reply: Type.Object({ data: Settings }),
      handle: ({ act: { customerId } }) =>
        db.tenant([customerId], async (tx) => {
          const settings = (await readTrackingSettings(tx, [customerId])).get(customerId);
          return { data: describe(settings ?? DEFAULT_TRACKING) };
        }),
    }),
    endpoint({
      method: 'PATCH',
      path: '/settings',
      operation: 'updateEmailSettings',
      summary: 'Switch the following of opens or links on or off for all messages',
      access: { ...access, role: 'admin' },
      audit: 'email-settings.updated',
      body: Type.Partial(Settings),
      reply: Type.Object({ data: Settings }),
      async handle({ act, body }) {
        const change = {
          ...(body.open_tracking === undefined ? {} : { openTracking: body.open_tracking }),
          ...(body.link_tracking === undefined ? {} : { linkTracking: body.link_tracking }),
        };
        return { data: describe(await saveTrackingSettings({ db, clock }, act, change)) };
      },
    }),
  ];
}

function describe({ openTracking, linkTracking }: TrackingSettings) {
  return { open_tracking: openTracking, link_tracking: linkTracking };
}
