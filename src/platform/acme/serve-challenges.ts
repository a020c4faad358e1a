import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Challenges } from './challenges.ts';

const PLACE = /^\/\.well-known\/acme-challenge\/([A-Za-z0-9_-]{1,200})$/;
const SLOW_MS = 10_000;

export interface ChallengeServer {
  port: number;
  stop(): Promise<void>;
}

/** Answers the authority's look over plain HTTP (RFC 8555 8.3) and nothing else: the product itself is not here. */
export async function serveChallenges(
  challenges: Challenges,
  { host, port }: { host: string; port: number },
): Promise<ChallengeServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const token = request.method === 'GET' ? PLACE.exec(request.url ?? '')?.[1] : undefined;
    const found = token === undefined ? undefined : await challenges.find(token);
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
    });
    response.end(found);
  };
  const limits = { requestTimeout: SLOW_MS, headersTimeout: SLOW_MS, keepAliveTimeout: 1 };
  const server = createServer(limits, (request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
