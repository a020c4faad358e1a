import { type Static, Type } from 'typebox';
import { readOversightSettings, requireAddress, setOversightSettings } from '../../../accounts/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { IfUpdatedAt } from '../../../platform/http/body/if-updated-at.ts';
import { type Endpoint, endpoint } from '../../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../../deps.ts';
import { Moment, TextOrNull } from '../reply-parts.ts';

const SettingsReply = Type.Object({
  security_contact: TextOrNull,
  review_days: Type.Integer(),
  review_due_days: Type.Integer(),
  updated_at: Moment,
});

/** Whom to tell of emergency access, and how often what was done is reviewed. */
export function oversightSettingEndpoints({ db, clock }: DashboardDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/oversight',
      operation: 'readOversight',
      summary: 'Who is told of emergency access beside the owners, and how often activity is reviewed',
      access: { scope: 'people', role: 'admin' },
      audit: null,
      reply: SettingsReply,
      handle: ({ act: { customerId } }) => db.tenant([customerId], (tx) => read(tx, customerId)),
    }),
    endpoint({
      method: 'PUT',
      path: '/oversight',
      operation: 'setOversight',
      summary: 'Set the security contact and how often activity is reviewed',
      access: { scope: 'people', role: 'owner', fresh: true },
      audit: 'customer.oversight-set',
      body: Type.Object({
        security_contact: Type.Union([Type.String({ maxLength: 254 }), Type.Null()]),
        review_days: Type.Integer({ minimum: 7, maximum: 90 }),
        review_due_days: Type.Integer({ minimum: 1, maximum: 30 }),
        ...IfUpdatedAt,
      }),
      reply: SettingsReply,
      handle: ({ act, body }) => {
        const contact = body.security_contact?.trim() || null;
        if (contact !== null) requireAddress('security_contact', contact);
        return db.tenant([act.customerId], async (tx) => {
          const { review_days: reviewDays, review_due_days: reviewDueDays, if_updated_at = null } = body;
          const change = { securityContact: contact, reviewDays, reviewDueDays, if_updated_at };
          await setOversightSettings(tx, { clock, act }, change);
          return read(tx, act.customerId);
        });
      },
    }),
  ];
}

async function read(tx: Tx, customerId: number): Promise<Static<typeof SettingsReply>> {
  const { securityContact, reviewDays, reviewDueDays, updatedAt } = await readOversightSettings(tx, customerId);
  return {
    security_contact: securityContact,
    review_days: reviewDays,
    review_due_days: reviewDueDays,
    updated_at: updatedAt.toISOString(),
  };
}
