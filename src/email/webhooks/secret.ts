import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** A secret that signs, until a moment where another has taken its place. */
export interface SigningSecret {
  /** As the customer knows it. */
  text: string;
  until: string | null;
}

/** Makes a secret in the form of Standard Webhooks. */
export function createSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The key that a secret stands for: base64 behind whsec_, and a secret of the customer's own making as it is. */
export function keyOf(secret: string): Buffer {
  if (!secret.startsWith(PREFIX)) return Buffer.from(secret);
  const encoded = secret.slice(PREFIX.length);
  return /^[A-Za-z0-9+/]*={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
}

/** The headers of Standard Webhooks; while a secret is being replaced, both sign. */
export function signatureHeaders(
  secrets: SigningSecret[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const valid = secrets.filter(({ until }) => until === null || new Date(until) > at);
  const signatures = valid.map(({ text }) => {
    const signature = createHmac('sha256', keyOf(text)).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${signature}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
