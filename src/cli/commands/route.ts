import { createExplainRoute, onwardOf, type RouteExplained, readDomainName } from '../../email/index.ts';
import { type Command, withInstallation } from '../command.ts';

export const routeExplain: Command = {
  name: 'route explain',
  takes: 'DOMAIN',
  usage: '',
  about: 'tell why mail to a domain can or cannot leave right now; its servers are called, and nothing is sent',
  run: ({ config, given }) =>
    withInstallation(config, async (installation) => {
      const explain = createExplainRoute(installation, onwardOf(config, installation));
      const explained = await explain(readDomainName(given));
      return { json: explained, text: inWords(explained), failed: explained.outcome === 'nothing' };
    }),
};

function inWords({ domain, summary, mta_sts: sts, remembered, hosts }: RouteExplained): string {
  return [
    `${domain}: ${summary}`,
    ...(sts === null ? [] : [`MTA-STS: ${sts.mode} (${sts.id}), ${sts.mx.join(', ')}`]),
    ...(remembered ? ['It has had verified TLS within a month: less is refused.'] : []),
    ...hosts.map(({ preference, host, addresses, dnssec, tlsa, tls, verified, policy, reason }) =>
      [
        `${preference} ${host} [${addresses.join(', ')}]`,
        dnssec ? `DNSSEC, ${tlsa ?? 'no'} TLSA records` : 'no DNSSEC',
        tls === null ? 'no TLS' : `${tls.version} ${tls.cipher}`,
        verified ? `verified by ${policy}` : (reason ?? 'not verified'),
      ].join('; '),
    ),
  ].join('\n');
}
