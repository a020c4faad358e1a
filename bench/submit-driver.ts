// Clients of an SMTP submission port that hand in so many messages, each to a recipient of its own, and stop. Runs as a
// process of its own, reads a Batch on its standard input and prints a Submitted as JSON.
import { readLoad } from './count.ts';
import { type Account, signIn } from './smtp-client.ts';

export interface Batch extends Account {
  from: string;
  /** Recipients are person-N at this domain. */
  domain: string;
  first: number;
  messages: number;
  /** With the dot that ends it. */
  message: string;
  connections: number;
}

export interface Submitted {
  /** When the first message began, as Date.now() has it. */
  startedAt: number;
  endedAt: number;
  refused: number;
  cpuMicros: number;
}

const batch = await readLoad<Batch>();
const data = Buffer.from(batch.message);
const end = batch.first + batch.messages;
let next = batch.first;
let refused = 0;

const submissions = await Promise.all(Array.from({ length: batch.connections }, () => signIn(batch)));
const startedAt = Date.now();
await Promise.all(
  submissions.map(async (submission) => {
    while (next < end) {
      const to = `person-${next}@${batch.domain}`;
      next += 1;
      if (!(await submission.send(batch.from, to, data)).startsWith('250')) refused += 1;
    }
    submission.end();
  }),
);
const { user, system } = process.cpuUsage();
const submitted: Submitted = { startedAt, endedAt: Date.now(), refused, cpuMicros: user + system };
process.stdout.write(JSON.stringify(submitted));
process.exit(0);
