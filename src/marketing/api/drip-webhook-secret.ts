import { Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { findDrip } from '../drip/campaigns/drip.ts';
import { webhookSecretOf } from '../drip/engine/webhook-secret.ts';
import { readNumber } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';

/** The secret by which receivers know the calls of webhook steps. */
export function dripWebhookSecretEndpoint({ db, vault, clock, requireOwn }: MarketingDeps): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/drip_campaigns/:id/webhook_secret',
    operation: 'readDripWebhookSecret',
    summary: 'The secret that signs what webhook steps of a drip campaign post (Standard Webhooks)',
    access: { scope: 'marketing', role: 'admin', fresh: true },
    audit: 'drip.secret-read',
    params: Type.Object({ id: Type.String() }),
    reply: Type.Object({ data: Type.Object({ secret: Type.String() }) }),
    async handle({ act, params }) {
      const keys = await vault.of(act.customerId);
      return db.tenant([act.customerId], async (tx) => {
        const drip = await findDrip(tx, requireOwn, act.customerId, readNumber('id', params.id));
        await recordAct(tx, clock, act, { target: String(drip.id) });
        return { data: { secret: webhookSecretOf(keys, drip.id) } };
      });
    },
  });
}
