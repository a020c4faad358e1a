import { createServer, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';

interface Deps {
  registry: Registry;
  /** Throws where the process cannot do its work. */
  checkReady(): Promise<void>;
}

/**
 * Serves /metrics, /healthz (the process answers) and /readyz (it can do its work) on a port of their own, whatever the
 * roles of the process; answers how to stop.
 */
export async function serveMetrics(
  { registry, checkReady }: Deps,
  { host, port }: { host: string; port: number },
): Promise<() => Promise<void>> {
  const pages: Record<string, (response: ServerResponse) => Promise<void>> = {
    async '/metrics'(response) {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    },
    async '/healthz'(response) {
      tell(response, 200, 'ok');
    },
    async '/readyz'(response) {
      await checkReady().then(
        () => tell(response, 200, 'ready'),
        () => tell(response, 503, 'unavailable'),
      );
    },
  };
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page === undefined) response.writeHead(404).end();
    else page(response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections(); // one on which nothing was asked would be waited for
    });
}

function tell(response: ServerResponse, code: number, status: string): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ status }));
}
