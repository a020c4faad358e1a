import type { Clock } from '../../../platform/clock.ts';
import { createDns } from '../../../platform/net/dns/dns.ts';
import { createFetchText } from '../../../platform/net/fetch-text.ts';
import type { Connect } from '../../../platform/net/open-connection.ts';
import { readAuthorities } from '../../../platform/net/read-authorities.ts';
import { trustBeside } from '../dialogue/connect.ts';
import { createMayReach } from '../route/may-reach.ts';
import type { Onward } from '../start.ts';

interface Settings {
  delivery: 'sandbox' | 'direct' | 'relay';
  relayUrl: string | null;
  dnsServers: string[];
  mxPort: number;
  trustedCaFile: string | null;
  heloName: string;
}

/** Where live mail goes by the settings. */
export function onwardOf(settings: Settings, { clock, connect }: { clock: Clock; connect?: Connect }): Onward {
  const { delivery, relayUrl, dnsServers, mxPort, heloName } = settings;
  if (delivery === 'sandbox') return { mode: delivery };
  const extra = readAuthorities(settings);
  const authorities = trustBeside(extra.authorities);
  if (delivery === 'relay') return { mode: delivery, url: relayUrl ?? '', heloName, authorities };
  const dns = createDns({ servers: dnsServers, clock });
  const mayReach = createMayReach({ dnsServers, mxPort });
  const fetchText = createFetchText({
    resolve: async (name) => (await dns.addresses(name)).records,
    mayReach,
    ...extra,
    ...(connect === undefined ? {} : { connect }),
  });
  return {
    mode: delivery,
    dns,
    fetchText,
    mayReach,
    port: mxPort,
    heloName,
    authorities,
    random: Math.random,
  };
}
