import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { findDebianPackage } from '../support/debian-package.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/server.ts';

const SAMPLE = join(import.meta.dirname, '../../deploy/proxy/nginx.conf');

export interface Nginx {
  port: number;
  /** The certificate that it shows. */
  cert: string;
  /** Where it would put bodies that it does not pass on at once. */
  bodies: string;
}

/** nginx of Debian with our sample, changed only in ports, file names and the address that it calls from. */
export async function startNginx(t: TestContext, upstreamPort: number, callsFrom: string): Promise<Nginx> {
  const { root, libraries } = findDebianPackage('nginx', 'usr/sbin/nginx');
  const folder = mkdtempSync(join(tmpdir(), 'carepost-nginx-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { cert, key } = await createSelfSigned('care.example.org', new Date());
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
  const port = await freePort();
  const site = readFileSync(SAMPLE, 'utf8')
    .replace('server 127.0.0.1:8080;', `server 127.0.0.1:${upstreamPort};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
    .replace('  listen [::]:443 ssl http2;\n', `  proxy_bind ${callsFrom};\n`)
    .replace(/\S+fullchain\.pem/, join(folder, 'cert.pem'))
    .replace(/\S+privkey\.pem/, join(folder, 'key.pem'));
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  for (const kind of kinds) mkdirSync(join(folder, kind), { mode: 0o777 });
  const config = `daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 1;
    events { worker_connections 64; }
    http { ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
      ${site} }`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, config);

  const program = join(root, 'usr/sbin/nginx');
  const options = { env: { LD_LIBRARY_PATH: libraries }, encoding: 'utf8' as const };
  const args = ['-e', 'stderr', '-p', folder, '-c', file];
  const checked = spawnSync(program, [...args, '-t', '-q'], options);
  if (checked.status !== 0 || checked.stderr !== '') throw new Error(`nginx refuses the sample: ${checked.stderr}`);
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${said}`);
    return /^\d+$/m.test(readIfThere(join(folder, 'pid')));
  });
  return { port, cert, bodies: join(folder, 'client_body') };
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
