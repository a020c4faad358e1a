import { INSTALLATION } from './accounts/index.ts';
import type { Installation } from './installation.ts';
import { type Acme, createAcme } from './platform/acme/acme.ts';
import { loadCertificate } from './platform/net/listener-certificate.ts';
import { type LiveCertificate, openLiveCertificate } from './platform/net/live-certificate.ts';
import { readAuthorities } from './platform/net/read-authorities.ts';
import type { Resolve } from './platform/net/resolve-addresses.ts';

const LOOK_MS = 2_000;

interface Deps {
  resolve: Resolve;
  /** Told how many days are left, fewer than none while an authority has issued nothing. */
  onDays(days: number): void;
}

/** What the listeners of a node show. */
export interface Certificates {
  /** Of SMTP; null where nothing here needs one. */
  smtp: LiveCertificate | null;
  /** Of HTTPS; null where a proxy serves that, or nobody does. */
  https: LiveCertificate | null;
  /** When that of the operator or of an authority ends, in the past while there is none; null where none is wanted. */
  endsAt(): Date | null;
  /** Has it renewed and replaced when the time comes; returns what to stop. */
  follow(repeat: (ms: number, name: string, work: () => Promise<unknown>) => void): Promise<(() => Promise<void>)[]>;
}

/** Opens the certificate of the listeners: from files, from an authority, or one that the product signs itself. */
export async function openCertificates(installation: Installation, { resolve, onDays }: Deps): Promise<Certificates> {
  const { config, clock, log } = installation;
  const { tls, dataDir, heloName: name, roles } = config;
  const acme = createAcmeOf(installation, resolve);
  const isKnown = tls !== null || acme !== null;
  const isShown = roles.has('smtp') || (roles.has('http') && isKnown);
  const load = acme?.load ?? (() => loadCertificate({ tls, dataDir, name, clock }));
  const open = () => openLiveCertificate({ load, clock, log, onDays });
  const live = isShown ? await (tls === null ? open() : openGiven(open, installation)) : null;
  return {
    smtp: live,
    https: isKnown && config.trustedProxies.length === 0 ? live : null,
    endsAt: () => (isKnown ? (live?.endsAt ?? null) : null),
    async follow(repeat) {
      const challenges = await acme?.listen(roles.has('http') ? config.http.host : config.smtp.host);
      repeat(LOOK_MS, 'certificate', async () => {
        await acme?.renew();
        await live?.look();
      });
      return acme === null || challenges === undefined ? [] : [challenges.stop, acme.stop];
    },
  };
}

/** Opens the certificate of the operator; what is wrong with it is told with the settings that name it. */
async function openGiven(open: () => Promise<LiveCertificate>, { clock, log }: Installation): Promise<LiveCertificate> {
  try {
    const live = await open();
    const { endsAt } = live;
    if (endsAt < clock.now()) log.warn({ endsAt }, 'the certificate of CAREPOST_TLS_CERT_FILE has ended: replace it');
    return live;
  } catch (error) {
    const settings = 'CAREPOST_TLS_CERT_FILE and CAREPOST_TLS_KEY_FILE';
    throw new Error(`${settings} take a certificate and its key in PEM files that can be read`, { cause: error });
  }
}

/** The authority that certificates are left to, where the settings name one. */
function createAcmeOf({ config, db, vault, clock, log }: Installation, resolve: Resolve): Acme | null {
  if (config.acme === null) return null;
  const keys = () => vault.of(INSTALLATION);
  return createAcme({ db, keys, clock, log, resolve, ...readAuthorities(config), ...config.acme });
}
