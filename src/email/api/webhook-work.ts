import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Caller } from '../../platform/http/access.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import type { TargetRules } from '../../platform/net/target-url.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { WebhookEndpoint } from '../webhooks/endpoint.ts';
import { type EndpointWork, findEndpoint } from '../webhooks/endpoints.ts';
import { requireEntitled } from '../webhooks/read-endpoint.ts';

export interface WebhookDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  idempotency: Idempotency;
  requireOwn: OwnershipCheck;
  targetRules: TargetRules;
}

/** Runs work on a customer's endpoints in one transaction. */
export async function inWork<T>(
  { db, vault, clock }: WebhookDeps,
  act: Act,
  work: (parts: EndpointWork) => Promise<T>,
): Promise<T> {
  const keys = await vault.of(act.customerId);
  return db.tenant([act.customerId], (tx) => work({ tx, keys, clock, act }));
}

/** An endpoint that the caller may know of: its own customer's, with events that its scopes cover. */
export async function findEntitled(
  deps: WebhookDeps,
  work: EndpointWork,
  caller: Caller,
  wanted: { id: number } | { publicId: string },
  options: { lock?: boolean } = {},
): Promise<WebhookEndpoint> {
  const found = await findEndpoint(work, deps.requireOwn, wanted, options);
  requireEntitled(caller.scopes, found.events);
  return found;
}
