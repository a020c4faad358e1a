import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LiveCertificate } from '../net/live-certificate.ts';
import { TLS_POLICY } from '../net/tls-policy.ts';

const CLOSING_MS = 5_000;

/** A listener apart for those who run the server. Where there is one, nobody is an operator anywhere else. */
export interface OperatorsDoor {
  /** Whether a request may be an operator's; always, where operators have no door of their own. */
  admits(request: FastifyRequest): boolean;
  /** The port, once it is open. */
  readonly port: number | null;
  /** Opens it in front of the same server; answers how to close it. */
  open(server: FastifyInstance, certificate: LiveCertificate | null): Promise<() => Promise<void>>;
}

export function createOperatorsDoor(wanted: { host: string; port: number } | null): OperatorsDoor {
  let port: number | null = null;
  return {
    admits: ({ socket }) => wanted === null || (port !== null && socket.localPort === port),
    get port() {
      return port;
    },
    async open(server, certificate) {
      if (wanted === null) return async () => {};
      const listener = listenerFor((request, response) => server.routing(request, response), certificate);
      await new Promise<void>((resolve, reject) =>
        listener.once('error', reject).listen(wanted.port, wanted.host, resolve),
      );
      port = (listener.address() as AddressInfo).port;
      return () =>
        new Promise((resolve) => {
          const late = setTimeout(() => listener.closeAllConnections(), CLOSING_MS);
          listener.close(() => {
            clearTimeout(late);
            resolve();
          });
          listener.closeIdleConnections();
        });
    },
  };
}

function listenerFor(answer: RequestListener, certificate: LiveCertificate | null) {
  if (certificate === null) return createServer(answer);
  const listener = createSecureServer({ ...certificate.current, ...TLS_POLICY }, answer);
  certificate.follow((next) => listener.setSecureContext({ ...next, ...TLS_POLICY }));
  return listener;
}
