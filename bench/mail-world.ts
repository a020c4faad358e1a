import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNameServer, type Zone } from '../tests/delivery/name-server.ts';
import { type Sink, startSink } from './sink.ts';

/** How long answers of the name server may be kept, as is usual. */
const TTL_SECONDS = 300;

type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

interface SendingDomain {
  id: string;
  state: string;
  records: { type: string; name: string; value: string }[];
}

/** Mail domains on this machine, with a sink for each, and a name server that leads to them. */
export interface MailWorld {
  sinks: Sink[];
  /** What the name server knows; it looks here for every question. */
  zone: Zone;
  /** The certificates of the sinks. */
  authorityFile: string;
  /** Settings that make the product deliver to these domains over verified TLS. */
  env: Record<string, string>;
  /** Makes a domain one that the product sends from, without a warm-up. */
  verifySender(call: Call, domain: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the sinks and their name server; a sink may be given a time that it takes for each message. */
export async function startMailWorld(domains: string[], delaysMs: Record<string, number> = {}): Promise<MailWorld> {
  const zone: Zone = {};
  const sinks: Sink[] = [];
  const endings: (() => void)[] = [];
  const after = (end: () => void) => void endings.push(end);
  const names = await startNameServer({ after }, (name) => zone[name], TTL_SECONDS);
  for (const [index, domain] of domains.entries()) {
    const host = `127.0.0.${index + 1}`;
    const sink = await startSink(`mx.${domain}`, host, sinks[0]?.port ?? 0, delaysMs[domain] ?? 0);
    sinks.push(sink);
    zone[domain] = { mx: [[10, sink.name]] };
    zone[sink.name] = { a: [sink.host] };
  }
  const authorityFile = join(tmpdir(), `carepost-${process.pid}-authorities.pem`);
  writeFileSync(authorityFile, sinks.map(({ authority }) => authority).join('\n'));
  return {
    sinks,
    zone,
    authorityFile,
    env: {
      CAREPOST_DELIVERY: 'direct',
      CAREPOST_DNS_SERVERS: names.address,
      CAREPOST_MX_PORT: String(sinks[0]?.port),
      CAREPOST_TRUSTED_CA_FILE: authorityFile,
    },
    async verifySender(call, domain) {
      const { id, records } = (await call('POST', '/v1/email/sending_domains', { domain })).data as SendingDomain;
      for (const { type, name, value } of records) {
        const known = zone[name] ?? {};
        zone[name] = type === 'CNAME' ? { cname: value } : { ...known, txt: [...(known.txt ?? []), value] };
      }
      const path = `/v1/email/sending_domains/${id}`;
      const { state } = (await call('POST', `${path}/check`)).data as SendingDomain;
      if (state !== 'verified') throw new Error(`${domain} is ${state}`);
      await call('PATCH', path, { warm_up: false });
    },
    async stop() {
      for (const end of endings) end();
      await Promise.all(sinks.map((sink) => sink.stop()));
      rmSync(authorityFile);
    },
  };
}
