import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';

/** What such a process is told: once what it stands on, then one question after another. */
export type ToProcess<Setup, Asked> = { setup: Setup } | { id: number; asked: Asked };

export type FromProcess<Said> = { id: number; said: Said } | { id: number; failed: Failure };

/** What can be said of an error: the rest of it may be anything, and need not fit through the channel. */
export type Failure = Pick<NodeJS.ErrnoException, 'name' | 'message' | 'stack' | 'code'>;

export interface OwnProcess<Asked, Said> {
  /** Rejects where the work fails, or where the process ends before it is done. */
  ask(asked: Asked): Promise<Said>;
  /** Ends the process, whatever it is at. */
  stop(): Promise<void>;
}

interface Options<Setup> {
  /** What answers, by `answerOwner`. */
  script: URL;
  setup: Setup;
  /** What node is given beside what this process was given. */
  flags: string[];
}

interface Started<Said> {
  child: ChildProcess;
  waiting: Map<number, { resolve(said: Said): void; reject(error: unknown): void }>;
  idle: NodeJS.Timeout | undefined;
}

const IDLE_MS = 15_000;
/** Those who are served go before it. */
const NICENESS = 10;

/** Work in a process of its own, with a heap of its own. It is started for the first question, and ends when none comes. */
export function createOwnProcess<Setup, Asked, Said>(options: Options<Setup>): OwnProcess<Asked, Said> {
  let current: Started<Said> | null = null;
  let lastId = 0;

  function start(): Started<Said> {
    const { script, setup, flags } = options;
    const child = fork(script, {
      execArgv: [...process.execArgv.filter((flag) => !flag.startsWith('--inspect')), ...flags],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const started: Started<Said> = { child, waiting: new Map(), idle: undefined };
    if (child.pid !== undefined) giveWay(child.pid);
    child.on('message', (message) => hear(started, message as FromProcess<Said>));
    child.on('error', () => lose(started)); // where it cannot be started
    child.once('exit', () => lose(started));
    child.unref();
    child.channel?.unref();
    tell(started, { setup });
    return started;
  }

  function tell({ child }: Started<Said>, message: ToProcess<Setup, Asked>): void {
    child.send(message, () => {}); // one that is gone is heard of by its exit
  }

  function hear(started: Started<Said>, message: FromProcess<Said>): void {
    const { waiting } = started;
    const asker = waiting.get(message.id);
    waiting.delete(message.id);
    if ('said' in message) asker?.resolve(message.said);
    else asker?.reject(Object.assign(new Error(), message.failed));
    if (waiting.size === 0) started.idle = setTimeout(() => dismiss(started), IDLE_MS).unref();
  }

  function lose(started: Started<Said>): void {
    if (current === started) current = null;
    clearTimeout(started.idle);
    for (const { reject } of started.waiting.values()) reject(new Error('The process ended before the work was done'));
    started.waiting.clear();
  }

  function dismiss(started: Started<Said>): void {
    if (current === started) current = null;
    if (started.child.connected) started.child.disconnect();
  }

  return {
    ask(asked) {
      const started = (current ??= start());
      clearTimeout(started.idle);
      const id = (lastId += 1);
      return new Promise((resolve, reject) => {
        started.waiting.set(id, { resolve, reject });
        tell(started, { id, asked });
      });
    },
    async stop() {
      const child = current?.child;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function giveWay(pid: number): void {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // Some systems let a service change no priorities; the work gets done all the same.
  }
}
