import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScript } from './measure.ts';

/** One message at one recipient's. */
export interface Received {
  recipient: string;
  messageId: string;
  at: number;
}

/** A recording sink, which is a process of its own. */
export interface Sink {
  name: string;
  host: string;
  port: number;
  /** PEM of its certificate. */
  authority: string;
  /** What it has got so far, in order, the last message of it, and on how many connections over TLS. */
  read(): Promise<{ received: Received[]; last: string; handshakes: number }>;
  stop(): Promise<void>;
}

/** Starts a sink that takes so long for each message; port 0 has the system choose one. */
export async function startSink(name: string, host: string, port: number, delayMs: number): Promise<Sink> {
  const files = ['record', 'last'].map((kind) => join(tmpdir(), `carepost-${process.pid}-${name}-${kind}`));
  const args = [...files, name, host, String(port), String(delayMs)];
  const script = await startScript('recording-sink.ts', args, {}, /listening .*\n/);
  const target = JSON.parse(/listening (.*)\n/.exec(script.output())?.[1] as string);
  return {
    name,
    host,
    port: target.port,
    authority: target.authorities,
    async read() {
      const before = script.output().length;
      const said = () => script.output().slice(before);
      script.child.kill('SIGUSR2');
      while (!/recorded \d+\n/.test(said())) await once(script.child.stdout, 'data');
      const lines = readFileSync(files[0] as string, 'utf8')
        .split('\n')
        .filter(Boolean);
      const last = readFileSync(files[1] as string, 'latin1');
      return { received: lines.map(receivedOf), last, handshakes: Number(/handshakes (\d+)/.exec(said())?.[1]) };
    },
    async stop() {
      await script.stop();
      for (const file of files) rmSync(file, { force: true });
    },
  };
}

function receivedOf(line: string): Received {
  const [recipient = '', messageId = '', at] = line.split(' ');
  return { recipient, messageId, at: Number(at) };
}
