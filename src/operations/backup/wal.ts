import type { ReplicationConnection } from '../../platform/db/replication.ts';
import { type Lsn, writeLsn } from './lsn.ts';
import { type Manifest, numbered } from './manifest.ts';
import { type ChainFolder, type FileEntry, writeSealed } from './sealed-file.ts';

const WAL_DATA = 0x77; // w
const KEEPALIVE = 0x6b; // k
const DATA_AT = 25;
const REPLY_ASKED_AT = 17;
const STATUS_BYTES = 34;

interface LogRange {
  slot?: string;
  timeline: number;
  from: Lsn;
  /** At least up to here. */
  to: Lsn;
}

/** Takes the write-ahead log from one place to another into a sealed file of a run. */
export async function takeWal(
  log: ReplicationConnection,
  place: ChainFolder,
  { number, ...range }: LogRange & { number: number },
): Promise<{ file: FileEntry; range: Manifest['wal'] }> {
  let reached = range.from;
  const bytes = readWal(log, range, (end) => (reached = end));
  const file = await writeSealed(place, `${numbered(number)}.wal`, bytes);
  return { file, range: { timeline: range.timeline, from: writeLsn(range.from), to: writeLsn(reached) } };
}

/**
 * The write-ahead log from one place to another, and perhaps a little beyond, as PostgreSQL streams it. `reached` is
 * told how far it went.
 */
async function* readWal(
  connection: ReplicationConnection,
  { slot, timeline, from, to }: LogRange,
  reached: (end: Lsn) => void,
): AsyncGenerator<Buffer> {
  const where = `${slot === undefined ? '' : `SLOT ${slot} `}PHYSICAL ${writeLsn(from)} TIMELINE ${timeline}`;
  const { messages, send } = connection.stream(`START_REPLICATION ${where}`);
  let at = from;
  for await (const message of messages) {
    if (message[0] === WAL_DATA) {
      if (message.readBigUInt64BE(1) !== at) throw new Error('PostgreSQL left out a part of its write-ahead log');
      const data = message.subarray(DATA_AT);
      at += BigInt(data.length);
      reached(at);
      yield data;
      if (at >= to) return;
    } else if (message[0] === KEEPALIVE && message[REPLY_ASKED_AT] === 1) {
      send(statusUpdate(at)); // without an answer the server hangs up after wal_sender_timeout
    }
  }
  throw new Error('PostgreSQL ended its write-ahead log early');
}

/** Says how far the log was written and flushed here; the rest is for standby servers. */
function statusUpdate(at: Lsn): Buffer {
  const status = Buffer.alloc(STATUS_BYTES);
  status.write('r');
  status.writeBigUInt64BE(at, 1);
  status.writeBigUInt64BE(at, 9);
  return status;
}
