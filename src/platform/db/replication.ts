import pg from 'pg';

const CONNECT_TIMEOUT_MS = 15_000;
const HEADER_BYTES = 5;
/** What may wait to be read before the server is made to wait. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

type Row = (string | null)[];

/** A connection that speaks the streaming replication protocol instead of SQL. */
export interface ReplicationConnection extends AsyncDisposable {
  /** Runs a command whose reply is rows. */
  rows(command: string): Promise<Row[]>;
  /** Runs a command that streams: each message as it comes, what rows came before or after, and a way to answer. */
  stream(command: string): { messages: AsyncIterable<Buffer>; rows: Row[]; send(message: Buffer): void };
}

/** Opens a physical replication connection; the role in the address needs the right to replicate. */
export async function openReplication(url: string): Promise<ReplicationConnection> {
  const address = new URL(url);
  address.searchParams.set('replication', 'true');
  address.searchParams.set('application_name', 'carepost-backup');
  const client = new pg.Client({ connectionString: address.href, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {}); // a lost connection also fails the command under way
  try {
    await client.connect();
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    async rows(command) {
      const reply = client.query(new StreamedReply(command));
      for await (const _ of reply.messages());
      return reply.rows;
    },
    stream(command) {
      const reply = client.query(new StreamedReply(command));
      return { messages: reply.messages(), rows: reply.rows, send: (message) => reply.send(message) };
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** One command of the replication protocol and what comes back. The driver calls the handlers by their names. */
class StreamedReply implements pg.Submittable {
  readonly rows: Row[] = [];
  private readonly command: string;
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  private socket: pg.Connection['stream'] | undefined;
  private failure: Error | undefined;
  private ended = false;
  private wake: () => void = () => {};

  constructor(command: string) {
    this.command = command;
  }

  submit(connection: pg.Connection): void {
    this.socket = connection.stream;
    connection.query(this.command);
  }

  send(message: Buffer): void {
    const header = Buffer.alloc(HEADER_BYTES);
    header.write('d');
    header.writeUInt32BE(message.length + HEADER_BYTES - 1, 1); // the letter does not count
    this.socket?.write(Buffer.concat([header, message]));
  }

  handleRowDescription(): void {}

  handleCommandComplete(): void {}

  handleDataRow({ fields }: { fields: Row }): void {
    this.rows.push(fields);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.waiting.push(Buffer.from(chunk)); // the parser uses the memory again
    this.waitingBytes += chunk.length;
    if (this.waitingBytes > MOST_WAITING_BYTES) this.socket?.pause();
    this.wake();
  }

  handleReadyForQuery(): void {
    this.ended = true;
    this.wake();
  }

  handleError(error: Error): void {
    this.failure = error;
    this.ended = true;
    this.wake();
  }

  async *messages(): AsyncGenerator<Buffer> {
    for (;;) {
      const next = this.waiting.shift();
      if (next !== undefined) {
        this.waitingBytes -= next.length;
        if (this.waitingBytes <= MOST_WAITING_BYTES) this.socket?.resume();
        yield next;
      } else if (this.ended) {
        if (this.failure !== undefined) throw this.failure;
        return;
      } else {
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    }
  }
}
