import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { INSTALLATION } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { makeSealCertificate } from './make-seal-certificate.ts';
import { noteFingerprint } from './seal-fingerprints.ts';

/** What an installation seals certificates with. */
export interface SealKey {
  privateKey: KeyObject;
  /** DER, the sealing one first and those above it behind. */
  certificates: [Buffer, ...Buffer[]];
  /** SHA-256 of the sealing certificate, by which auditors know it. */
  fingerprint: string;
}

/** The key of an installation, and the fingerprints of those that it sealed with before. */
export interface InstalledSealKey extends SealKey {
  earlier: string[];
}

/** Gives the key of the installation, made when it is asked for first. */
export type LoadSealKey = () => Promise<InstalledSealKey>;

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  /** The operator's own, in PEM, in place of one that is made. */
  files: { certFile: string; keyFile: string } | null;
  /** The name of the installation. */
  name: string;
}

const NAME = 'seal certificate';
const PLACE = { table: 'installation', row: NAME, column: 'value' };
const LEAST_RSA_BITS = 2048;
const CURVES = ['prime256v1', 'secp384r1'];

/** Opens the key that seals; the operator's own is read and checked at once. */
export function openSealKey({ files, ...deps }: Deps): LoadSealKey {
  const given = files === null ? null : readSealKey(readPem(files.certFile, 'CERT'), readPem(files.keyFile, 'KEY'));
  if (given !== null) requireInTime(given, deps.clock.now());
  const load = async () => {
    const key = given ?? (await loadOwn(deps));
    const [, ...earlier] = await noteFingerprint(deps, key.fingerprint);
    return { ...key, earlier };
  };
  let made: Promise<InstalledSealKey> | undefined;
  return () => {
    made ??= load().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** The key of the installation as the database has it, sealed like all that is secret there. */
async function loadOwn({ db, vault, clock, name }: Omit<Deps, 'files'>): Promise<SealKey> {
  const keys = await vault.of(INSTALLATION);
  const stored = () =>
    db.untenanted((tx) => tx.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst());
  let row = await stored();
  if (row === undefined) {
    const value = keys.seal(PLACE, JSON.stringify(await makeSealCertificate(name, clock.now())));
    await db.untenanted((tx) =>
      tx
        .insertInto('installation')
        .values({ name: NAME, value })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    row = await stored();
  }
  const { cert, key } = JSON.parse(keys.open(PLACE, row?.value as Buffer).toString()) as { cert: string; key: string };
  return readSealKey(cert, key);
}

/** Reads the key that seals and its certificates, in PEM. */
export function readSealKey(cert: string, key: string): SealKey {
  const [first, ...above] = (cert.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (pem) => attempt(() => new X509Certificate(pem), 'CERT'),
  );
  if (first === undefined) throw fault('CERT');
  const privateKey = attempt(() => createPrivateKey(key), 'KEY');
  const { namedCurve = '', modulusLength = 0 } = privateKey.asymmetricKeyDetails ?? {};
  const isRsa = privateKey.asymmetricKeyType === 'rsa' && modulusLength >= LEAST_RSA_BITS;
  const isEc = privateKey.asymmetricKeyType === 'ec' && CURVES.includes(namedCurve);
  if (!isRsa && !isEc) throw fault('KEY');
  if (!first.checkPrivateKey(privateKey)) throw new Error('CAREPOST_SEAL_KEY_FILE is not the key of the certificate');
  return {
    privateKey,
    certificates: [first.raw, ...above.map(({ raw }) => raw)],
    fingerprint: first.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

/** What is sealed with a certificate out of its time is found good by nobody. */
function requireInTime({ certificates }: SealKey, now: Date): void {
  const { validFromDate, validToDate } = new X509Certificate(certificates[0]);
  if (validFromDate <= now && now <= validToDate) return;
  throw new Error('CAREPOST_SEAL_CERT_FILE holds a certificate that is not valid now');
}

function readPem(file: string, part: 'CERT' | 'KEY'): string {
  return attempt(() => readFileSync(file, 'utf8'), part);
}

function attempt<T>(read: () => T, part: 'CERT' | 'KEY'): T {
  try {
    return read();
  } catch {
    throw fault(part);
  }
}

function fault(part: 'CERT' | 'KEY'): Error {
  const takes =
    part === 'CERT' ? 'certificates in PEM' : 'a private key in PEM: RSA of 2048 bits or more, P-256 or P-384';
  return new Error(`CAREPOST_SEAL_${part}_FILE takes ${takes}`);
}
