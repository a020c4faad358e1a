import type { Config } from '../../config.ts';
import { hearPort, tryListening } from '../../platform/net/probe-port.ts';
import { type Check, failed, ok, type Verdict } from './check.ts';

interface Door {
  setting: string;
  host: string;
  port: number;
  /** Asks whoever listens there, and tells whether it is this product. */
  isOurs(host: string): Promise<boolean>;
}

/** Whether the ports of the settings are free, or held by this very product. */
export const ports: Check = {
  name: 'ports',
  needs: 'nothing',
  look: async ({ config }) => Promise.all(doorsOf(config).map(judge)),
};

async function judge({ setting, host, port, isOurs }: Door): Promise<Verdict> {
  const fault = await tryListening(host, port);
  if (fault === null) return ok(`${port} is free (${setting})`);
  if (fault === 'EACCES')
    return failed(
      `${port} is not for this user (${setting})`,
      'allow it (CAP_NET_BIND_SERVICE), or take a port above 1023',
    );
  if (fault === 'EADDRNOTAVAIL')
    return failed(`${host} is no address of this machine (${setting})`, 'correct the host');
  const reached = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  if (await isOurs(reached)) return ok(`${port} is held by this product (${setting})`);
  return failed(`${port} is held by something else (${setting})`, `stop that (ss -ltnp), or change ${setting}`);
}

function doorsOf(config: Config): Door[] {
  const { roles, http, operators, smtp, acme, bouncePort, metrics, heloName } = config;
  const isSecure = (config.tls !== null || acme !== null) && config.trustedProxies.length === 0;
  const doors: Door[] = [];
  const add = (setting: string, host: string, port: number, isOurs: Door['isOurs']) => {
    if (port !== 0) doors.push({ setting, host, port, isOurs });
  };
  const greets = (port: number) => async (host: string) =>
    (await hearPort(host, port))?.startsWith(`220 ${heloName} `) === true;
  const serves = (port: number) => async (host: string) =>
    /\bx-request-id:/i.test((await hearPort(host, port, 'GET /healthz HTTP/1.0\r\n\r\n', isSecure)) ?? '');
  if (roles.has('http')) {
    add('CAREPOST_HTTP_PORT', http.host, http.port, serves(http.port));
    if (operators !== null) add('CAREPOST_OPERATOR_PORT', operators.host, operators.port, serves(operators.port));
  }
  if (acme !== null && (roles.has('http') || roles.has('smtp'))) {
    const { host } = roles.has('http') ? http : smtp;
    add('CAREPOST_ACME_HTTP_PORT', host, acme.httpPort, isEmpty(acme.httpPort));
  }
  if (metrics !== null) add('CAREPOST_METRICS_PORT', metrics.host, metrics.port, isWell(metrics.port));
  if (roles.has('smtp')) {
    add('CAREPOST_SMTP_PORT', smtp.host, smtp.port, greets(smtp.port));
    add('CAREPOST_SMTPS_PORT', smtp.host, smtp.tlsPort, async (host) => (await hearPort(host, smtp.port)) !== null);
    if (bouncePort !== null) add('CAREPOST_BOUNCE_PORT', smtp.host, bouncePort, greets(bouncePort));
  }
  return doors;
}

function isWell(port: number): Door['isOurs'] {
  return async (host) => /"status":"ok"/.test((await hearPort(host, port, 'GET /healthz HTTP/1.0\r\n\r\n')) ?? '');
}

/** The proof for an authority has nothing at the root of its port. */
function isEmpty(port: number): Door['isOurs'] {
  return async (host) => /\b404\b/.test((await hearPort(host, port, 'GET / HTTP/1.0\r\n\r\n')) ?? '');
}
