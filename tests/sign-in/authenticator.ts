import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

interface CreationOptions {
  challenge: string;
  rp: { id: string };
}
interface RequestOptions {
  challenge: string;
  rpId: string;
  allowCredentials: { id: string }[];
}

/** An authenticator in software, as WebAuthn describes one: a key for each place, and a counter of its uses. */
export interface Authenticator {
  credentialId: string;
  create(options: CreationOptions, at?: Partial<Place>): object;
  get(options: RequestOptions, at?: Partial<Place>): object;
  /** Goes back to an earlier count, as a copy of it would. */
  rewind(): void;
}

interface Place {
  origin: string;
  rpId: string;
}

/** Makes one for pages of an origin. */
export function createAuthenticator(origin: string): Authenticator {
  const id = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let counter = 0;
  const credentialId = id.toString('base64url');
  const answer = (response: object) => ({
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    response,
    clientExtensionResults: {},
  });
  return {
    credentialId,
    create({ challenge, rp }, at = {}) {
      counter += 1;
      const credential = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, coseKey(publicKey)]);
      const authData = authenticatorData(at.rpId ?? rp.id, HAS_CREDENTIAL, counter, credential);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, at.origin ?? origin).toString('base64url'),
        attestationObject: cborMap([
          [text('fmt'), text('none')],
          [text('attStmt'), cborMap([])],
          [text('authData'), bytes(authData)],
        ]).toString('base64url'),
        transports: ['internal'],
      });
    },
    get({ challenge, rpId }, at = {}) {
      counter += 1;
      const client = clientData('webauthn.get', challenge, at.origin ?? origin);
      const data = authenticatorData(at.rpId ?? rpId, 0, counter, Buffer.alloc(0));
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
      });
    },
    rewind() {
      counter = 0;
    },
  };
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function authenticatorData(rpId: string, more: number, counter: number, credential: Buffer): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const flags = Buffer.from([USER_PRESENT | USER_VERIFIED | more]);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), flags, count, credential]);
}

/** A public key as COSE writes it: kind EC2, algorithm ES256, curve P-256, x and y. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return cborMap([
    [int(1), int(2)],
    [int(3), int(-7)],
    [int(-1), int(1)],
    [int(-2), bytes(Buffer.from(x, 'base64url'))],
    [int(-3), bytes(Buffer.from(y, 'base64url'))],
  ]);
}

// The little of CBOR (RFC 8949) that this takes.

function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size]);
  return size < 256
    ? Buffer.from([(kind << 5) | 24, size])
    : Buffer.concat([Buffer.from([(kind << 5) | 25]), uint16(size)]);
}

function int(value: number): Buffer {
  return value >= 0 ? head(0, value) : head(1, -1 - value);
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([head(2, value.length), value]);
}

function text(value: string): Buffer {
  return Buffer.concat([head(3, value.length), Buffer.from(value)]);
}

function cborMap(pairs: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([head(5, pairs.length), ...pairs.flat()]);
}

function uint16(value: number): Buffer {
  const written = Buffer.alloc(2);
  written.writeUInt16BE(value);
  return written;
}
