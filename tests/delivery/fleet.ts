import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Authority, createAuthority } from '../support/authority.ts';
import { assertNothingInClear, formsOf } from './leaks.ts';
import { type NameServer, startNameServer, type TlsaRecord, type Zone } from './name-server.ts';
import { type Peer, startPeer } from './peer.ts';
import type { Script } from './script.ts';
import { type Manner, type StsHost, startStsHost } from './sts-host.ts';

interface Host {
  /** The name of its mail server; mx.DOMAIN when absent. */
  host?: string;
  preference?: number;
  /** Whether DNSSEC vouches for its records. */
  authentic?: boolean;
}

interface Policy {
  mode: 'enforce' | 'testing' | 'none';
  mx: string[];
  maxAge?: number;
  id?: string;
  manner?: Manner;
}

/** Foreign mail domains on this machine: a name server, mail servers by domain, and a web server for their policies. */
export interface Fleet {
  authority: Authority;
  /** Trusted by nobody. */
  stranger: Authority;
  /** What the name server tells; a test may change it at any time. */
  zone: Zone;
  names: NameServer;
  sts: StsHost;
  peers: Peer[];
  /** Settings that make the product deliver to this fleet. */
  env: Record<string, string>;
  /** Adds a mail server with a script to a domain. */
  add(domain: string, script: Script, host?: Host): Promise<Peer>;
  /** Gives a domain a mail server in DNS; nothing listens there, unless the caller does. */
  announce(domain: string, host?: Host): { name: string; address: string; port: number };
  /** Publishes an MTA-STS policy, or another one under another id. */
  publishPolicy(domain: string, policy: Policy): Promise<void>;
  /** Publishes TLSA records for a host, which DNSSEC vouches for. */
  publishTlsa(host: string, records: TlsaRecord[]): void;
  /** Fails where any peer got anything in clear but EHLO, STARTTLS, QUIT and the beginning of TLS. */
  nothingInClear(markers: string[]): void;
  /** The hosts that heard a text under TLS. */
  hostsThatHeard(marker: string): string[];
}

let lastAddress = 0;

/** Starts a fleet without any domain; it ends with the test. */
export async function createFleet(t: TestContext): Promise<Fleet> {
  const [authority, stranger] = await Promise.all([createAuthority(), createAuthority()]);
  const zone: Zone = {};
  const peers: Peer[] = [];
  const names = await startNameServer(t, (name) => zone[name]);
  const sts = await startStsHost(t, { address: nextAddress(), authority, stranger });
  const folder = mkdtempSync(join(tmpdir(), 'carepost-fleet-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const trusted = join(folder, 'authority.pem');
  writeFileSync(trusted, authority.caPem);
  // The first peer finds a port that is free, and all others have the same one on addresses of their own.
  const scout = await startPeer(t, {}, { name: 'scout', address: nextAddress(), port: 0, authority, stranger });

  function announce(domain: string, { host, preference = 10, authentic = false }: Host = {}) {
    const address = nextAddress();
    const name = host ?? `mx.${domain}`;
    const known = zone[domain]?.mx ?? [];
    zone[domain] = { ...zone[domain], mx: [...known, [preference, name]], authentic };
    zone[name] = { a: [address], authentic };
    return { name, address, port: scout.port };
  }

  return {
    authority,
    stranger,
    zone,
    names,
    sts,
    peers,
    env: {
      CAREPOST_DELIVERY: 'direct',
      CAREPOST_DNS_SERVERS: names.address,
      CAREPOST_MX_PORT: String(scout.port),
      CAREPOST_TRUSTED_CA_FILE: trusted,
    },
    announce,
    async add(domain, script, host) {
      const peer = await startPeer(t, script, { ...announce(domain, host), authority, stranger });
      peers.push(peer);
      return peer;
    },
    async publishPolicy(domain, { mode, mx, maxAge = 86_400, id = '1', manner = 'well' }) {
      const lines = ['version: STSv1', `mode: ${mode}`, ...mx.map((each) => `mx: ${each}`), `max_age: ${maxAge}`, ''];
      await sts.publish(domain, lines.join('\r\n'), manner);
      zone[`_mta-sts.${domain}`] = { txt: [`v=STSv1; id=${id};`] };
      zone[`mta-sts.${domain}`] = { a: [sts.address] };
    },
    publishTlsa(host, records) {
      zone[`_${scout.port}._tcp.${host}`] = { tlsa: records, authentic: true };
    },
    nothingInClear: (markers) => {
      assert.ok(
        peers.some(({ connections }) => connections.length > 0),
        'some peer was spoken to',
      );
      for (const peer of peers) assertNothingInClear(peer, markers);
    },
    hostsThatHeard: (marker) => {
      const hears = (peer: Peer) => formsOf(marker).some((form) => peer.secured().includes(form));
      return peers.filter(hears).map(({ name }) => name);
    },
  };
}

/** DANE-EE for the key of a certificate: usage 3, selector 1, SHA-256 (RFC 7672 3.1.1). */
export function tlsaOfKey(cert: string): TlsaRecord {
  const key = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return { usage: 3, selector: 1, matchingType: 1, certificate: createHash('sha256').update(key).digest() };
}

/** Each process of the tests has 511 addresses of its own; those of tests that are over are had again. */
function nextAddress(): string {
  lastAddress = (lastAddress % 511) + 1;
  const host = ((process.pid & 0x1fff) << 9) + lastAddress;
  return `127.${64 + (host >> 16)}.${(host >> 8) & 0xff}.${host & 0xff}`;
}
