// A closed loop of keep-alive connections that repeat one request. Runs as a process of its own, reads a
// Load on its standard input and prints what it counted as JSON.
import { Count, readLoad } from './count.ts';
import { type HttpRequest, openConnection, requestBytes } from './http-connection.ts';

export interface Load extends HttpRequest {
  connections: number;
  warmupSeconds: number;
  seconds: number;
}

/** Stands in a body for a number that is another one in each request. */
const COUNTER = '#'.repeat(8);

const load = await readLoad<Load>();
const template = requestBytes(load);
const counterAt = template.indexOf(COUNTER);
let sent = 0;
const count = new Count();

async function loop(): Promise<void> {
  const request = Buffer.from(template);
  let startedAt = 0;
  const ended = Promise.withResolvers<void>();
  const socket = await openConnection(load.port, (accepted) => {
    count.note(performance.now() - startedAt, accepted);
    if (count.running) next();
    else socket.end(ended.resolve);
  });
  const next = () => {
    startedAt = performance.now();
    sent += 1;
    if (counterAt !== -1) request.write(String(sent).padStart(COUNTER.length, '0'), counterAt);
    socket.write(request);
  };
  socket.once('error', ended.reject);
  next();
  await ended.promise;
}

const loops = Array.from({ length: load.connections }, loop);
await Promise.all([count.during(load), ...loops]);
count.print();
