import type { Registry } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { readDestinations } from './destinations.ts';
import { addView } from './gauges.ts';
import { readJobTroubles, readQueueStates } from './queues.ts';

interface Deps {
  registry: Registry;
  db: Database;
  workerDb: Database;
  clock: Clock;
  log: Log;
}

/** Lets whoever scrapes see what waits, for whom, and since when. */
export function watchQueues(deps: Deps): void {
  addView(deps, {
    name: 'queues',
    read: () => readQueueStates(deps),
    gauges: [
      {
        name: 'carepost_queue_waiting',
        help: 'Work that waits for its time or is on its way, by queue, counted up to 50 000',
        labels: ['queue'],
        of: (states) => states.map(({ queue, waiting }) => [{ queue }, waiting]),
      },
      {
        name: 'carepost_queue_oldest_due_seconds',
        help: 'For how long the oldest work of a queue could have been done',
        labels: ['queue'],
        of: (states) => states.map(({ queue, oldestDueSeconds }) => [{ queue }, oldestDueSeconds]),
      },
    ],
  });
  addView(deps, {
    name: 'destinations',
    read: () => readDestinations(deps),
    gauges: [
      {
        name: 'carepost_destination_waiting',
        help: 'Recipients whose mail is due or was put off, for the 20 domains that wait longest of those with 10 or more',
        labels: ['destination'],
        of: (all) => all.map(({ destination, waiting }) => [{ destination }, waiting]),
      },
      {
        name: 'carepost_destination_oldest_seconds',
        help: 'For how long the oldest mail to a destination has been on its way',
        labels: ['destination'],
        of: (all) => all.map(({ destination, oldestSeconds }) => [{ destination }, oldestSeconds]),
      },
    ],
  });
  addView(deps, {
    name: 'side jobs',
    read: () => readJobTroubles(deps),
    gauges: [
      {
        name: 'carepost_jobs_in_trouble',
        help: 'Side jobs that failed: some are tried again, some were given up',
        labels: ['state'],
        of: ({ failing, givenUp }) => [
          [{ state: 'failing' }, failing],
          [{ state: 'given_up' }, givenUp],
        ],
      },
    ],
  });
}
