import { randomBytes } from 'node:crypto';
import { isHttps, readCookie } from '../platform/http/sessions.ts';
import type { CustomerVault } from '../platform/vault/vault.ts';

const DAYS = 180;

interface Deps {
  installationKeys: CustomerVault;
  publicUrl: string;
}

/** The cookie by which a browser is known again in which somebody has signed in; it opens nothing. */
export function deviceCookie({ installationKeys, publicUrl }: Deps, email: string): string {
  const nonce = randomBytes(16).toString('base64url');
  const lasting = `Path=/; Max-Age=${DAYS * 86_400}; HttpOnly; SameSite=Strict`;
  const value = `${nonce}.${proofOf(installationKeys, email, nonce)}`;
  return `${nameOf(publicUrl)}=${value}; ${lasting}${isHttps(publicUrl) ? '; Secure' : ''}`;
}

/** The browser, where somebody has signed in there with this address before. */
export function knownDevice(
  { installationKeys, publicUrl }: Deps,
  cookies: string | undefined,
  email: string,
): string | null {
  const [nonce = '', proof] = (readCookie(cookies, nameOf(publicUrl)) ?? '').split('.');
  return proof === proofOf(installationKeys, email, nonce) ? nonce : null;
}

function nameOf(publicUrl: string): string {
  return isHttps(publicUrl) ? '__Host-carepost-device' : 'carepost_device';
}

function proofOf(keys: CustomerVault, email: string, nonce: string): string {
  return keys.blindIndex('sign-in device', `${email.toLowerCase()}/${nonce}`).toString('base64url');
}
