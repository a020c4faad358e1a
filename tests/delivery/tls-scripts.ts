import { createLonelyCertificate } from '../support/authority.ts';
import type { Script } from './script.ts';
import { at } from './scripts.ts';

const DAY = 24 * 3600_000;
const GO_AHEAD = '220 2.0.0 go ahead\r\n';

/** Never heard of TLS. */
export const noStartTls: Script = { offers: ['PIPELINING', '8BITMIME', 'SIZE 26214400'] };

/** Offers TLS and refuses it, as where somebody in between takes it out. */
export function strippedStartTls(reply: '454 4.7.0 not available' | '500 5.5.1 unknown command'): Script {
  return at('starttls', { say: `${reply}\r\n` });
}

/** Says 220 to STARTTLS, and more in the same breath, before TLS protects it. */
export const injectedBehindStartTls = at('starttls', { say: `${GO_AHEAD}250-mx\r\n250 PIPELINING\r\n` });

/** Says 220 to STARTTLS and goes on in clear. */
export const clearBehindStartTls = at('starttls', { say: GO_AHEAD, then: 'go on in clear' });

/** Says 220 to STARTTLS and lets the handshake wait for ever. */
export const silentHandshake = at('starttls', { say: GO_AHEAD, then: 'silence' });

/** Says 220 to STARTTLS and breaks off in the handshake. */
export const brokenHandshake = at('starttls', { say: GO_AHEAD, then: 'reset' });

/** Shows a certificate that has run out. */
export const expired: Script = {
  certificate: ({ authority, name }) =>
    authority.issue({
      names: [name],
      notBefore: new Date(Date.now() - 60 * DAY),
      notAfter: new Date(Date.now() - 30 * DAY),
    }),
};

/** Shows the certificate of another host. */
export const wrongName: Script = {
  certificate: ({ authority }) => authority.issue({ names: ['another.example'] }),
};

/** Shows a certificate that its own key has signed. */
export const selfSigned: Script = {
  certificate: ({ name }) => createLonelyCertificate({ names: [name] }),
};

/** Shows a certificate by an authority that nobody trusts. */
export const unknownAuthority: Script = {
  certificate: ({ stranger, name }) => stranger.issue({ names: [name] }),
};

/** Speaks no newer TLS than this. */
export function oldTls(version: 'TLSv1' | 'TLSv1.1'): Script {
  return { tls: { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } };
}

/**
 * Speaks TLS 1.2 with one bad cipher only. Node's OpenSSL is built without RC4 and 3DES; what it can still serve is AES
 * in CBC mode, no encryption at all, and no certificate at all.
 */
export function weakCipher(cipher: 'ECDHE-ECDSA-AES128-SHA' | 'ECDHE-ECDSA-NULL-SHA' | 'AECDH-AES128-SHA'): Script {
  return { tls: { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers: `${cipher}:@SECLEVEL=0` } };
}
