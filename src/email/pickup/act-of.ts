import type { Act } from '../../platform/act.ts';
import type { Pickup } from './find-pickup.ts';

/** What somebody does at a pickup: `public` with the link alone, `recipient` once a code was shown. */
export function actOf(pickup: Pickup, kind: 'public' | 'recipient', action: string, requestId: string): Act {
  return { customerId: pickup.customerId, actor: { kind, id: pickup.id }, action, requestId };
}
