import type { Config } from '../../config.ts';
import { createDns, type Dns } from '../../platform/net/dns/dns.ts';
import { hearPort } from '../../platform/net/probe-port.ts';
import { reverseNames } from '../../platform/net/reverse-names.ts';
import { type Check, failed, ok, type Verdict, warning } from './check.ts';

/** Signed with DNSSEC for as long as there has been DNSSEC. */
const SIGNED = 'iana.org';
/** A domain whose mail servers the whole world can reach. */
const REACHED_BY_ALL = 'gmail.com';
const NAME = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i;

/** Whether names can be looked up, and whether the product's own lead anywhere. */
export const dns: Check = {
  name: 'dns',
  needs: 'nothing',
  async look({ config, clock }) {
    const { hostname } = new URL(config.publicUrl);
    const client = createDns({ servers: config.dnsServers, clock });
    if (NAME.test(hostname)) return [await judgeAddress(client, hostname, 'CAREPOST_PUBLIC_URL')];
    return [ok('CAREPOST_PUBLIC_URL has no name that would have to be found')];
  },
};

/** Whether other mail servers will find and believe this one, where it delivers by itself. */
export const outgoingMail: Check = {
  name: 'outgoing-mail',
  needs: 'nothing',
  async look({ config, clock }) {
    if (config.delivery !== 'direct') return [ok(`mail goes to the ${config.delivery}`)];
    const client = createDns({ servers: config.dnsServers, clock });
    const helo = await judgeAddress(client, config.heloName, 'CAREPOST_HELO_NAME');
    if (helo.state !== 'ok') return [helo, await judgeResolver(client)];
    return [
      helo,
      await judgeReverse(client, config),
      await judgeResolver(client),
      await judgeWayOut(client, config),
      ...(await judgeReturnPath(client, config)),
    ];
  },
};

async function judgeAddress(client: Dns, name: string, setting: string): Promise<Verdict> {
  try {
    const { records } = await client.addresses(name);
    if (records.length > 0) return ok(`${name} has an address (${setting})`);
    return failed(`${name} has no address (${setting})`, 'add an A or AAAA record, or correct the setting');
  } catch {
    return failed('no resolver answers', 'check /etc/resolv.conf and CAREPOST_DNS_SERVERS');
  }
}

async function judgeReverse(client: Dns, { heloName, dnsServers }: Config): Promise<Verdict> {
  const { records } = await client.addresses(heloName);
  const names = await Promise.all(records.map((address) => reverseNames(dnsServers, address)));
  const without = records.filter((_, at) => !names[at]?.some((name) => name.toLowerCase() === heloName.toLowerCase()));
  if (without.length === 0) return ok('its addresses lead back to the name');
  return warning(
    `${without.join(', ')} does not lead back to ${heloName}: many servers refuse mail from there`,
    `ask whoever gave you the address for a PTR record to ${heloName}`,
  );
}

async function judgeResolver(client: Dns): Promise<Verdict> {
  const answer = await client.addresses(SIGNED).catch(() => null);
  if (answer?.authentic === true) return ok('the resolver on this machine validates DNSSEC');
  return warning(
    'no resolver on this machine validates DNSSEC: DANE is not used',
    'install unbound and ask it at 127.0.0.1',
  );
}

async function judgeWayOut(client: Dns, { mxPort }: Config): Promise<Verdict> {
  const servers = await client.mx(REACHED_BY_ALL).catch(() => null);
  const host = servers?.records.toSorted((one, other) => one.preference - other.preference)[0]?.exchange;
  const addresses = host === undefined ? [] : (await client.addresses(host).catch(() => ({ records: [] }))).records;
  const address = addresses.find((each) => !each.includes(':')) ?? addresses[0];
  if (address !== undefined && (await hearPort(address, mxPort))?.startsWith('220') === true)
    return ok(`mail servers can be reached on port ${mxPort}`);
  return failed(`no mail server answers on port ${mxPort}`, 'have your provider open outgoing port 25, or use a relay');
}

async function judgeReturnPath(client: Dns, { returnPathDomain: domain, bouncePort }: Config): Promise<Verdict[]> {
  if (domain === null) return [];
  const texts = await client.txt(domain).catch(() => ({ records: [] as string[] }));
  const servers = await client.mx(domain).catch(() => ({ records: [] }));
  return [
    texts.records.some((text) => /^v=spf1\b/i.test(text))
      ? ok(`${domain} has an SPF record`)
      : failed(`${domain} has no SPF record`, `add TXT "v=spf1 a:… -all" to ${domain} (carepost domain check)`),
    bouncePort === null || servers.records.length > 0
      ? ok(`returned mail finds its way`)
      : failed(`${domain} has no MX record: returned mail is lost`, `add an MX record that leads to this machine`),
  ];
}
