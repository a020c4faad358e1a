import { setTimeout as sleep } from 'node:timers/promises';

/** What a driver saw while it counted; times in milliseconds. */
export interface Counted {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  refused: number;
  /** Answered from first to last, with those before and after the counted time. */
  total: number;
  cpuMicros: number;
}

/** The clock and the tally of a driver: what it prints is what `drive` in measure.ts reads. */
export class Count {
  running = true;
  counting = false;
  readonly #times: number[] = [];
  #refused = 0;
  #total = 0;
  #elapsed = 0;
  #cpuMicros = 0;

  /** One answer: how long it took, and whether it is counted when that was settled before it came. */
  note(ms: number, accepted: boolean, counted = this.counting): void {
    this.#total += 1;
    if (!accepted) this.#refused += 1;
    if (counted) this.#times.push(ms);
  }

  /** Lets the load run: first for warming up, then counted. */
  async during({ warmupSeconds, seconds }: { warmupSeconds: number; seconds: number }): Promise<void> {
    await sleep(warmupSeconds * 1000);
    process.stdout.write('counting\n');
    this.counting = true;
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    await sleep(seconds * 1000);
    this.counting = false;
    this.#elapsed = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    this.#cpuMicros = user + system;
    this.running = false;
    process.stdout.write('counted\n');
  }

  print(more: object = {}): void {
    const times = this.#times.toSorted((one, other) => one - other);
    const counted: Counted = {
      requests: times.length,
      perSecond: times.length / this.#elapsed,
      p50: times[Math.floor(times.length * 0.5)] ?? 0,
      p99: times[Math.floor(times.length * 0.99)] ?? 0,
      refused: this.#refused,
      total: this.#total,
      cpuMicros: this.#cpuMicros / times.length,
    };
    process.stdout.write(`${JSON.stringify({ ...counted, ...more })}\n`);
  }
}

/** What the driver was asked to do: JSON on its standard input, since a batch is too long for an argument. */
export async function readLoad<T>(): Promise<T> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
  return JSON.parse(text) as T;
}
