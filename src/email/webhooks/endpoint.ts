import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { SigningSecret } from './secret.ts';

/** The address of an endpoint. */
export interface Target {
  /** As it was checked, and is called. */
  targetUrl: string;
  /** As the customer wrote it. */
  writtenUrl: string;
}

/** What of an endpoint is sealed. */
export interface EndpointSecrets extends Target {
  /** Sent as a bearer token, where set. */
  apiKey: string | null;
  secrets: SigningSecret[];
}

/** Where a customer wants events sent. */
export interface WebhookEndpoint extends EndpointSecrets {
  id: number;
  publicId: string;
  events: string[];
  active: boolean;
  /** Whether an event waits until the one before it has arrived. */
  ordered: boolean;
  failingSince: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

interface Row {
  id: number;
  public_id: string;
  events: string[];
  active: boolean;
  ordered: boolean;
  failing_since: Date | null;
  sealed: Buffer;
  created_at: Date;
  updated_at: Date;
}

/** Endpoints of earlier versions have their address only as it is called. */
type StoredSecrets = Omit<EndpointSecrets, 'writtenUrl'> & { writtenUrl?: string };

/** Opens a row. */
export function openEndpoint(keys: CustomerVault, row: Row): WebhookEndpoint {
  const sealed = JSON.parse(keys.open(placeOf(row.public_id), row.sealed).toString()) as StoredSecrets;
  return {
    id: row.id,
    publicId: row.public_id,
    events: row.events,
    active: row.active,
    ordered: row.ordered,
    failingSince: row.failing_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...sealed,
    writtenUrl: sealed.writtenUrl ?? sealed.targetUrl,
  };
}

/** Seals what of an endpoint is sealed. */
export function sealEndpoint(keys: CustomerVault, publicId: string, secrets: EndpointSecrets): Buffer {
  const { targetUrl, writtenUrl, apiKey, secrets: signing } = secrets;
  return keys.seal(placeOf(publicId), JSON.stringify({ targetUrl, writtenUrl, apiKey, secrets: signing }));
}

/** A keyed fingerprint of an address, by which a second endpoint with the same one is found. */
export function urlIndex(keys: CustomerVault, targetUrl: string): Buffer {
  return keys.blindIndex('webhook address', targetUrl);
}

function placeOf(publicId: string) {
  return { table: 'webhook_endpoints', row: publicId, column: 'sealed' };
}
