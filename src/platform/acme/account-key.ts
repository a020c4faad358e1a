import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** The key that an ACME account is known by: P-256, as every authority takes it. */
export interface AccountKey {
  /** PKCS 8 in PEM. */
  pem: string;
  /** The public half (RFC 7517), its members in the order of RFC 7638 3. */
  jwk: { crv: string; kty: string; x: string; y: string };
  /** A request signed as RFC 8555 6.2 wants it. */
  sign(header: Record<string, unknown>, payload: string): string;
  /** What proves to the authority that a token reached the holder of this key (RFC 8555 8.1). */
  answerTo(token: string): string;
}

export function makeAccountKey(): AccountKey {
  return accountKeyOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
}

export function readAccountKey(pem: string): AccountKey {
  return accountKeyOf(createPrivateKey(pem));
}

function accountKeyOf(key: KeyObject): AccountKey {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const jwk = { crv: 'P-256', kty: 'EC', x, y };
  const thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url');
  return {
    pem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    jwk,
    sign(header, payload) {
      const head = base64url(JSON.stringify({ alg: 'ES256', ...header }));
      const body = base64url(payload);
      const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
      return JSON.stringify({ protected: head, payload: body, signature: signature.toString('base64url') });
    },
    answerTo: (token) => `${token}.${thumbprint}`,
  };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
