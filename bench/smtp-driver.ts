// Clients of an SMTP submission port: each takes up TLS and signs in once, then sends the same message again and again.
// Runs as a process of its own, reads an SmtpLoad on its standard input and prints what it counted as JSON.
import { Count, readLoad } from './count.ts';
import { type Account, signIn } from './smtp-client.ts';

export interface SmtpLoad extends Account {
  from: string;
  to: string;
  /** With the dot that ends it. */
  message: string;
  connections: number;
  warmupSeconds: number;
  seconds: number;
}

const load = await readLoad<SmtpLoad>();
const data = Buffer.from(load.message);
const count = new Count();

async function loop(): Promise<void> {
  const submission = await signIn(load);
  while (count.running) {
    const startedAt = performance.now();
    const reply = await submission.send(load.from, load.to, data);
    count.note(performance.now() - startedAt, reply.startsWith('250'));
  }
  submission.end();
}

const loops = Array.from({ length: load.connections }, loop);
await Promise.all([count.during(load), ...loops]);
count.print();
process.exit(0);
