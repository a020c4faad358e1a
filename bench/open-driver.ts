// An open loop: requests start on schedule, whatever the replies do, and their time runs from the moment they were due.
// Runs as a process of its own, reads an OpenLoad on its standard input and prints OpenCounted as JSON.
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Count, type Counted, readLoad } from './count.ts';
import type { Load } from './driver.ts';
import { openConnection, requestBytes } from './http-connection.ts';

export interface OpenLoad extends Load {
  /** Requests per second. */
  rate: number;
}

export interface OpenCounted extends Counted {
  /** Requests that found every connection busy, over the whole run. */
  waited: number;
  /** How late the driver itself was on average: it wakes once a millisecond. */
  lateMs: number;
  unanswered: number;
}

interface Due {
  at: number;
  counted: boolean;
}

const LONGEST_WAIT_MS = 30_000;
const load = await readLoad<OpenLoad>();
const request = requestBytes(load);
const count = new Count();
const idle: { socket: Socket; due: Due | null }[] = [];
const queue: Due[] = [];
let underWay = 0;
let waited = 0;
let late = 0;
let started = 0;

async function open(): Promise<void> {
  const socket = await openConnection(load.port, (accepted) => {
    const { at, counted } = connection.due as Due;
    count.note(performance.now() - at, accepted, counted);
    underWay -= 1;
    const next = queue.shift();
    if (next === undefined) idle.push(connection);
    else send(connection, next);
  });
  const connection: { socket: Socket; due: Due | null } = { socket, due: null };
  idle.push(connection);
}

function send(connection: { socket: Socket; due: Due | null }, due: Due): void {
  connection.due = due;
  underWay += 1;
  connection.socket.write(request);
}

async function keepSchedule(): Promise<void> {
  const startedAt = performance.now();
  while (count.running) {
    const now = performance.now();
    for (;;) {
      const at = startedAt + (started * 1000) / load.rate;
      if (at > now) break;
      started += 1;
      late += now - at;
      const due = { at, counted: count.counting };
      const connection = idle.shift(); // in turn, since a server hangs up on those that never ask
      if (connection !== undefined) send(connection, due);
      else {
        waited += 1;
        queue.push(due);
      }
    }
    await sleep(1);
  }
}

const connections = Array.from({ length: load.connections }, open);
await Promise.all(connections);
await Promise.all([count.during(load), keepSchedule()]);
const endsAt = performance.now() + LONGEST_WAIT_MS;
while (underWay + queue.length > 0 && performance.now() < endsAt) await sleep(10);
const more = { waited, lateMs: late / started, unanswered: underWay + queue.length };
count.print(more);
process.exit(0);
