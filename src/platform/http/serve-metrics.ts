import { createServer } from 'node:http';
import type { Metrics } from '../metrics.ts';

/** Serves the metrics on a port of their own, to this machine only; answers how to stop. */
export async function serveMetrics({ registry }: Metrics, port: number): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return () => new Promise((resolve) => void server.close(() => resolve()));
}
