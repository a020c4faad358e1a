import { browserSupportsWebAuthn } from '@simplewebauthn/browser';

/** Whether this page may use passkeys: browsers offer them where nobody listens in, and only under a name. */
export function canPasskey(): boolean {
  const isName = !/^[\d.]+$|:/.test(location.hostname);
  return window.isSecureContext && isName && browserSupportsWebAuthn();
}
