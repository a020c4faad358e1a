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

function doorsOf({ roles, http, smtp, bouncePort, metricsPort, heloName }: Config): Door[] {
  const doors: Door[] = [];
  const add = (setting: string, host: string, port: number, isOurs: Door['isOurs']) => {
    if (port !== 0) doors.push({ setting, host, port, isOurs });
  };
  const greets = (port: number) => async (host: string) =>
    (await hearPort(host, port))?.startsWith(`220 ${heloName} `) === true;
  if (roles.has('http')) {
    add('CAREPOST_HTTP_PORT', http.host, http.port, async (host) => {
      const heard = await hearPort(host, http.port, 'GET /healthz HTTP/1.0\r\n\r\n');
      return heard !== null && (/x-request-id:/i.test(heard) || !heard.startsWith('HTTP/')); // under TLS nothing legible
    });
  }
  if (metricsPort !== null)
    add('CAREPOST_METRICS_PORT', '127.0.0.1', metricsPort, async (host) =>
      /\b404\b/.test((await hearPort(host, metricsPort, 'GET / HTTP/1.0\r\n\r\n')) ?? ''),
    );
  if (roles.has('smtp')) {
    add('CAREPOST_SMTP_PORT', smtp.host, smtp.port, greets(smtp.port));
    add('CAREPOST_SMTPS_PORT', smtp.host, smtp.tlsPort, async (host) => (await hearPort(host, smtp.port)) !== null);
    if (bouncePort !== null) add('CAREPOST_BOUNCE_PORT', smtp.host, bouncePort, greets(bouncePort));
  }
  return doors;
}
