import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { findDebianPackage } from '../support/debian-package.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/server.ts';

/** An authority that issues for whatever answers on this machine: Pebble, of Let's Encrypt. */
export interface Pebble {
  directory: string;
  /** What the authority's own server is trusted by. */
  caFile: string;
  /** Where it looks for http-01 answers. */
  httpPort: number;
  /** The certificate that what it issues leads to. */
  root(): Promise<string>;
  /** How many certificates it has issued. */
  issued(): number;
  stop(): Promise<void>;
}

/** Starts Pebble and a name server to which every name is this machine. Every fourth good nonce is refused, as may happen. */
export async function startPebble(t: TestContext): Promise<Pebble> {
  const { root: tree } = findDebianPackage('pebble', 'usr/bin/pebble');
  const folder = mkdtempSync(join(tmpdir(), 'carepost-pebble-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { cert, key } = await createSelfSigned('localhost', new Date());
  const [caFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(caFile, cert);
  writeFileSync(keyFile, key);
  const [port, management, httpPort, tlsPort, dns] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: caFile,
      privateKey: keyFile,
      httpPort,
      tlsPort,
      certificateValidityPeriod: 90 * 24 * 3600,
    },
  };
  const configFile = join(folder, 'pebble.json');
  writeFileSync(configFile, JSON.stringify(config));

  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-management', `127.0.0.1:${await freePort()}`];
  const names = run(t, join(tree, 'usr/bin/pebble-challtestsrv'), [
    '-dns01',
    `127.0.0.1:${dns}`,
    '-defaultIPv6',
    '',
    ...off,
  ]);
  const pebble = run(t, join(tree, 'usr/bin/pebble'), [
    '-strict',
    '-config',
    configFile,
    '-dnsserver',
    `127.0.0.1:${dns}`,
  ]);
  const get = (url: string) =>
    new Promise<string>((resolve, reject) => {
      const call = request(url, { ca: cert, agent: false }, (reply) => {
        let text = '';
        reply.on('data', (chunk) => (text += chunk)).once('end', () => resolve(text));
      });
      call.once('error', reject).end();
    });
  const directory = `https://localhost:${port}/dir`;
  await eventually(() => get(directory).catch(() => null));
  return {
    directory,
    caFile,
    httpPort,
    root: () => get(`https://localhost:${management}/roots/0`),
    issued: () => pebble.said().match(/Issued certificate serial/g)?.length ?? 0,
    async stop() {
      await pebble.stop();
      await names.stop();
    },
  };
}

function run(t: TestContext, program: string, args: string[]) {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '25', PEBBLE_AUTHZREUSE: '0' },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
  };
  t.after(stop);
  return { said: () => said, stop };
}
