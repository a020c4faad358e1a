import { type Certified, certificateRecord } from './certificate-record.ts';
import { checkCertificate } from './check/check-certificate.ts';
import type { CertificateRecord } from './check/record.ts';
import { authorityOf } from './check/time-stamp.ts';
import { sealPdf } from './seal.ts';
import { type StampTime, TimeStampMissing } from './time-stamps.ts';
import { writeCertificate } from './write-certificate.ts';

/** An authority may stamp with several certificates by turns. */
const MOST_TRIES = 4;
const MOST_KNOWN = 16;

/** The certificates with which an authority has stamped before, by their SHA-256. */
const known = new WeakMap<StampTime, string[]>();

/**
 * Makes a sealed certificate. Where the authority for time gives no stamp, the certificate says so and is sealed
 * without: whoever waits for it must not depend on another's server.
 */
export async function makeCertificate(certified: Certified, stampTime: StampTime | null): Promise<Buffer> {
  if (stampTime === null) return seal(certified, 'none', null);
  try {
    return await sealStamped(certified, stampTime);
  } catch (error) {
    if (!(error instanceof TimeStampMissing)) throw error;
    return seal(certified, 'away', null);
  }
}

/**
 * The record names who stamps, so that no other stamp can be put there; but it is sealed before it is stamped. So the
 * first stamp only shows by whom it is, and a second certificate names them.
 */
async function sealStamped(certified: Certified, stampTime: StampTime): Promise<Buffer> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const authorities = known.get(stampTime) ?? [];
    let seen: string | null = null;
    const sealed = await seal(certified, 'present', {
      authorities,
      stampTime: async (digest) => {
        const token = await stampTime(digest);
        seen = await authorityOf(token).catch(() => null);
        return token;
      },
    }).catch((error: unknown) => {
      if (seen === null || authorities.includes(seen)) throw error;
      return null;
    });
    if (sealed !== null) return sealed;
    known.set(stampTime, [seen as unknown as string, ...authorities].slice(0, MOST_KNOWN));
  }
  throw new TimeStampMissing('the authority stamps with another certificate each time');
}

/** Nothing leaves that would not be found good by whoever checks it. */
async function seal(
  certified: Certified,
  timeStamp: CertificateRecord['time_stamp'],
  stamped: { authorities: string[]; stampTime: StampTime } | null,
): Promise<Buffer> {
  const { sealKey, at } = certified;
  const stamp = { time_stamp: timeStamp, time_authorities: stamped?.authorities ?? [] };
  const pages = await writeCertificate(certificateRecord(certified, stamp));
  const sealed = await sealPdf(pages, sealKey, { at, stampTime: stamped?.stampTime ?? null });
  await checkCertificate(sealed, [sealKey.fingerprint]).catch((error: unknown) => {
    throw stamped === null ? error : new TimeStampMissing('the stamp is not of use');
  });
  return sealed;
}
