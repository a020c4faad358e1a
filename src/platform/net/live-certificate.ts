import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Certificate } from './self-signed.ts';

const DAY_MS = 24 * 3_600_000;

/** A certificate as it was found. */
export interface Found extends Certificate {
  /** Shown only until there is the one that is wanted. */
  isStopgap?: boolean;
}

/** The certificate that listeners show, which may be replaced while they run. */
export interface LiveCertificate {
  readonly current: Certificate;
  /** When it ends; for a stopgap when it began, as what is wanted has been missing since. */
  readonly endsAt: Date;
  /** Has every later certificate handed over. */
  follow(take: (certificate: Certificate) => void): void;
  /** Looks whether there is another one by now. What cannot be used is told and left. */
  look(): Promise<void>;
}

interface Deps {
  load(): Promise<Found>;
  clock: Clock;
  log: Log;
  /** Told after every look how many days are left; fewer than none for a stopgap. */
  onDays(days: number): void;
}

/** Opens the certificate of the listeners; throws where there is none that can be used. */
export async function openLiveCertificate({ load, clock, log, onDays }: Deps): Promise<LiveCertificate> {
  let current = await load();
  let endsAt = endOf(current);
  const followers: ((certificate: Certificate) => void)[] = [];
  const tellDays = () => onDays((endsAt.getTime() - clock.now().getTime()) / DAY_MS);
  tellDays();
  return {
    get current() {
      return current;
    },
    get endsAt() {
      return endsAt;
    },
    follow: (take) => void followers.push(take),
    async look() {
      try {
        const found = await load();
        if (found.cert === current.cert && found.key === current.key) return;
        endsAt = endOf(found);
        current = found;
        for (const take of followers) take(found);
        log.info({ endsAt }, 'another certificate is shown from now on');
      } catch (error) {
        // Files are replaced one after the other: the next look finds both.
        log.warn({ err: error }, 'the new certificate cannot be used');
      } finally {
        tellDays();
      }
    },
  };
}

function endOf({ cert, key, isStopgap = false }: Found): Date {
  const certificate = new X509Certificate(cert);
  if (key.includes('ENCRYPTED')) throw new Error('the key is locked with a passphrase'); // OpenSSL would say "interrupted"
  if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error('the key is not that of the certificate');
  createSecureContext({ cert, key }); // refuses what no listener may show, such as a key that is too short
  return isStopgap ? certificate.validFromDate : certificate.validToDate;
}
