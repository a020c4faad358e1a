// A closed loop of keep-alive connections that repeat one request. Runs as a process of its own, reads a
// Load on its standard input and prints what it counted as JSON.
import { Count, readLoad } from './count.ts';
import { type HttpRequest, openConnection, requestBytes } from './http-connection.ts';

export interface Load extends HttpRequest {
  connections: number;
  warmupSeconds: number;
  seconds: number;
}

const load = await readLoad<Load>();
const request = requestBytes(load);
const count = new Count();

async function loop(): Promise<void> {
  let startedAt = 0;
  const ended = Promise.withResolvers<void>();
  const socket = await openConnection(load.port, (accepted) => {
    count.note(performance.now() - startedAt, accepted);
    if (count.running) next();
    else socket.end(ended.resolve);
  });
  const next = () => {
    startedAt = performance.now();
    socket.write(request);
  };
  socket.once('error', ended.reject);
  next();
  await ended.promise;
}

const loops = Array.from({ length: load.connections }, loop);
await Promise.all([count.during(load), ...loops]);
count.print();
