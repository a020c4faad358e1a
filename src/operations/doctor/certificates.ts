import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Clock } from '../../platform/clock.ts';
import { type Check, failed, ok, type Verdict, warning } from './check.ts';

const DAY_MS = 24 * 3600_000;
const SOON_DAYS = 14;
const PEM = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

interface Pair {
  certFile: string;
  keyFile: string;
}

/** Whether the certificates of the settings hold, fit their keys, and bear the names that they are shown under. */
export const certificates: Check = {
  name: 'certificates',
  needs: 'nothing',
  async look({ config, clock }) {
    const { tls, seal, publicUrl, heloName } = config;
    const { hostname, protocol } = new URL(publicUrl);
    const names = protocol === 'https:' ? [hostname, heloName] : [heloName];
    const verdicts = [
      ...(tls === null ? [] : judgePair('CAREPOST_TLS_CERT_FILE', tls, clock, [...new Set(names)])),
      ...(seal === null ? [] : judgePair('CAREPOST_SEAL_CERT_FILE', seal, clock, [])),
    ];
    return verdicts.length > 0 ? verdicts : [ok('none of your own is set')];
  },
};

function judgePair(setting: string, { certFile, keyFile }: Pair, clock: Clock, names: string[]): Verdict[] {
  for (const file of [certFile, keyFile])
    if (!existsSync(file)) return [failed(`${file} is missing (${setting})`, 'put it there, or correct the setting')];
  const chain = chainOf(readFileSync(certFile, 'utf8'));
  const [own] = chain;
  if (own === undefined) return [failed(`${setting} holds no certificate`, 'write the PEM of the certificate there')];
  const verdicts = [judgeLife(setting, own, clock)];
  if (!fits(own, keyFile))
    verdicts.push(failed(`${setting} does not fit its key`, 'put the key of this certificate there'));
  const unnamed = names.filter((name) => own.checkHost(name) === undefined);
  if (unnamed.length > 0)
    verdicts.push(failed(`${setting} does not name ${unnamed.join(', ')}`, 'get a certificate for these names'));
  const broken = chain.slice(1).some((above, at) => !(chain[at] as X509Certificate).checkIssued(above));
  if (broken) verdicts.push(failed(`${setting} has its chain in the wrong order`, 'write own, then intermediate'));
  if (names.length > 0 && own.checkIssued(own))
    verdicts.push(warning(`${setting} is signed by itself: clients will not trust it`, 'get one from an authority'));
  return verdicts;
}

function judgeLife(setting: string, { validFrom, validTo }: X509Certificate, clock: Clock): Verdict {
  const now = clock.now().getTime();
  const days = Math.floor((Date.parse(validTo) - now) / DAY_MS);
  if (days < 0 || Date.parse(validFrom) > now)
    return failed(`${setting} is not valid now (${validFrom} to ${validTo})`, renewal(setting));
  const found = `${setting} is valid for ${days} more days`;
  return days < SOON_DAYS ? warning(found, renewal(setting)) : ok(found);
}

function renewal(setting: string): string {
  return setting === 'CAREPOST_TLS_CERT_FILE'
    ? 'renew it: new files are shown without a restart'
    : 'renew it and restart';
}

function chainOf(text: string): X509Certificate[] {
  return (text.match(PEM) ?? []).map((pem) => new X509Certificate(pem));
}

function fits(certificate: X509Certificate, keyFile: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)));
  } catch {
    return false;
  }
}
