import type { TargetRules } from '../../platform/net/target-url.ts';

/** What may be called on behalf of customers. In the sandbox a receiver of webhooks may run on this machine. */
export function targetRulesOf({ delivery, publicUrl }: { delivery: string; publicUrl: string }): TargetRules {
  return { allowLoopback: delivery === 'sandbox', ownNames: [new URL(publicUrl).hostname] };
}
