// A closed loop of keep-alive connections that repeat one request. Runs as a process of its own and
// prints what it counted as JSON. Arguments: a JSON object of Load.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Load {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  warmupSeconds: number;
  seconds: number;
}

export interface Counted {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  refused: number;
  cpuMicros: number;
}

const load = JSON.parse(process.argv[2] as string) as Load;
const head = Object.entries({
  Host: `127.0.0.1:${load.port}`,
  'Content-Type': 'application/json',
  'Content-Length': String(Buffer.byteLength(load.body)),
  ...load.headers,
});
const request = Buffer.from(
  `POST ${load.path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${load.body}`,
);

let counting = false;
let running = true;
let refused = 0;
const times: number[] = [];

function loop(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: load.port, noDelay: true });
    let startedAt = 0;
    let pending = Buffer.alloc(0);
    const next = () => {
      startedAt = performance.now();
      socket.write(request);
    };
    socket.once('connect', next).once('error', reject);
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const headEnd = pending.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const text = pending.toString('latin1', 0, headEnd);
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (pending.length < headEnd + 4 + length) return;
      pending = Buffer.alloc(0);
      if (!text.startsWith('HTTP/1.1 200')) refused += 1;
      if (counting) times.push(performance.now() - startedAt);
      if (running) next();
      else socket.end(resolve);
    });
  });
}

const loops = Array.from({ length: load.connections }, loop);
await sleep(load.warmupSeconds * 1000);
process.stdout.write('counting\n');
counting = true;
const cpu = process.cpuUsage();
const startedAt = performance.now();
await sleep(load.seconds * 1000);
counting = false;
const elapsed = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(cpu);
running = false;
process.stdout.write('counted\n');
await Promise.all(loops);
times.sort((one, other) => one - other);
const counted: Counted = {
  requests: times.length,
  perSecond: times.length / elapsed,
  p50: times[Math.floor(times.length * 0.5)] ?? 0,
  p99: times[Math.floor(times.length * 0.99)] ?? 0,
  refused,
  cpuMicros: (user + system) / times.length,
};
process.stdout.write(`${JSON.stringify(counted)}\n`);
