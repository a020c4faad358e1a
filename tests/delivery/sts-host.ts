import { createServer } from 'node:https';
import type { TestContext } from 'node:test';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Authority } from '../support/authority.ts';

const PATH = '/.well-known/mta-sts.txt';
const TOO_LARGE = 1024 * 1024;

/** How a policy is given to those who ask for it. */
export type Manner =
  | 'well'
  | 'broken file'
  | 'wrong certificate'
  | 'unknown authority'
  | 'not found'
  | 'slow'
  | 'redirect'
  | 'as HTML'
  | 'too large';

export interface StsHost {
  address: string;
  /** 443, or another one where that cannot be bound. */
  port: number;
  /** The host names whose policy was asked for, in order. */
  asked: string[];
  /** Gives this text as the policy of a domain from now on. */
  publish(domain: string, text: string, manner: Manner): Promise<void>;
}

interface Published {
  text: string;
  manner: Manner;
  context: SecureContext;
}

/** One web server for the MTA-STS policies of all domains (RFC 8461 3.3), on an address of 127.0.0.0/8. */
export async function startStsHost(
  t: TestContext,
  { address, authority, stranger }: { address: string; authority: Authority; stranger: Authority },
): Promise<StsHost> {
  const policies = new Map<string, Published>();
  const asked: string[] = [];
  const lost = await authority.issue({ names: ['lost.example'] });
  const server = createServer({
    ...lost,
    SNICallback: (name, done) => done(null, policies.get(name.toLowerCase())?.context),
  });
  server.on('request', (request, reply) => {
    const host = (request.headers.host ?? '').split(':')[0]?.toLowerCase() ?? '';
    asked.push(host);
    const found = policies.get(host);
    if (found === undefined || found.manner === 'not found' || request.url !== PATH) {
      return void reply.writeHead(404, { 'content-type': 'text/plain' }).end('no such policy\r\n');
    }
    const { text, manner } = found;
    if (manner === 'redirect') return void reply.writeHead(302, { location: `https://${host}/elsewhere.txt` }).end();
    reply.writeHead(200, { 'content-type': manner === 'as HTML' ? 'text/html' : 'text/plain' });
    if (manner === 'slow') return void reply.write(text.slice(0, 10));
    if (manner === 'broken file') return void reply.end(text.replace('version: STSv1', 'version: 2'));
    return void reply.end(manner === 'too large' ? `${text}${'x: y\r\n'.repeat(TOO_LARGE / 6)}` : text);
  });
  server.on('tlsClientError', () => {});
  const port = await listen(443).catch(() => listen(0));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    address,
    port,
    asked,
    async publish(domain, text, manner) {
      const name = `mta-sts.${domain}`;
      const issuer = manner === 'unknown authority' ? stranger : authority;
      const { cert, key } = await issuer.issue({ names: [manner === 'wrong certificate' ? 'lost.example' : name] });
      policies.set(name, { text, manner, context: createSecureContext({ cert, key }) });
    },
  };

  function listen(wanted: number): Promise<number> {
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, address, () => {
        server.off('error', reject);
        resolve((server.address() as { port: number }).port);
      });
    });
  }
}
