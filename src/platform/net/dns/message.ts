import {
  type Answer,
  AUTHENTIC_DATA,
  type DecodedPacket,
  DNSSEC_OK,
  decode,
  encode,
  RECURSION_DESIRED,
  type TlsaData,
} from 'dns-packet';
import { DnsFailed } from './dns-failed.ts';

export interface Question {
  name: string;
  type: QuestionType;
}

export type QuestionType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TLSA' | 'TXT';

export interface Mx {
  preference: number;
  exchange: string;
}

export type TlsaRecord = TlsaData;

/** One record of an answer, its name in lower case and without the last dot. */
export type DnsRecord = { name: string; ttl: number } & (
  | { type: 'A' | 'AAAA' | 'CNAME' | 'TXT'; data: string }
  | { type: 'MX'; data: Mx }
  | { type: 'TLSA'; data: TlsaRecord }
);

export interface Message {
  outcome: 'found' | 'no such name' | 'failed';
  isTruncated: boolean;
  /** The AD bit (RFC 4035 3.2.3), worth as much as the way from the server. */
  isMarkedAuthentic: boolean;
  records: DnsRecord[];
  /** For how many seconds the absence of a record holds (RFC 2308 5); zero where the answer does not say. */
  negativeTtl: number;
}

type Shown = DecodedPacket & { rcode: string };

// RFC 9715 3.1: what passes without fragments.
const UDP_PAYLOAD = 1232;
/** A name may be written as thousands of steps back: so many names as fit into 64 KB would take seconds to follow. */
const MOST_RECORDS = 500;
const HEAD = 12; // RFC 1035 4.1.1, which ends with how many records each part has

/** Writes a question that asks for recursion and for what DNSSEC knows (RFC 6840 5.7, RFC 3225). */
export function writeQuestion(id: number, { name, type }: Question): Buffer {
  return encode({
    type: 'query',
    id,
    flags: RECURSION_DESIRED | AUTHENTIC_DATA,
    questions: [{ name, type }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: UDP_PAYLOAD,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: DNSSEC_OK,
        flag_do: true,
        options: [],
      },
    ],
  });
}

/** Reads the answer to a question; null where it answers another one, DnsFailed where it cannot be read. */
export function readMessage(bytes: Buffer, id: number, question: Question): Message | null {
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== id) return null;
  const packet = decodeWhole(bytes);
  if (!packet.flag_qr || !asks(packet, question)) return null;
  return {
    outcome: outcomeOf(packet),
    isTruncated: packet.flag_tc,
    isMarkedAuthentic: packet.flag_ad,
    records: (packet.answers ?? []).flatMap(recordOf),
    negativeTtl: negativeTtlOf(packet),
  };
}

/** A name as it is compared: lower case, and no dot at its end unless it is the root. */
export function plainName(name: string): string {
  const lower = name.toLowerCase();
  return lower.length > 1 && lower.endsWith('.') ? lower.slice(0, -1) : lower;
}

function decodeWhole(bytes: Buffer): Shown {
  if (bytes.length < HEAD || recordsIn(bytes) > MOST_RECORDS) throw new DnsFailed('malformed');
  try {
    const packet = decode(bytes) as Shown;
    // The library reads on past the end of a record that lies about its length; then the sum does not fit.
    if (decode.bytes === bytes.length) return packet;
  } catch {
    // Said below.
  }
  throw new DnsFailed('malformed');
}

function recordsIn(head: Buffer): number {
  return [4, 6, 8, 10].reduce((sum, at) => sum + head.readUInt16BE(at), 0);
}

function asks({ questions = [] }: Shown, { name, type }: Question): boolean {
  const [asked] = questions;
  return questions.length === 1 && asked?.type === type && plainName(asked.name) === name;
}

function outcomeOf(packet: Shown): Message['outcome'] {
  const isExtended = (packet.additionals ?? []).some((each) => each.type === 'OPT' && each.extendedRcode !== 0);
  if (isExtended) return 'failed';
  if (packet.rcode === 'NOERROR') return 'found';
  return packet.rcode === 'NXDOMAIN' ? 'no such name' : 'failed';
}

function recordOf(answer: Answer): DnsRecord[] {
  if (!('ttl' in answer) || answer.class !== 'IN') return [];
  const owner = { name: plainName(answer.name), ttl: ttlOf(answer.ttl) };
  if (answer.type === 'A' || answer.type === 'AAAA') return [{ ...owner, type: answer.type, data: answer.data }];
  if (answer.type === 'CNAME') return [{ ...owner, type: 'CNAME', data: plainName(answer.data) }];
  if (answer.type === 'TXT') {
    return [{ ...owner, type: 'TXT', data: Buffer.concat(answer.data as Buffer[]).toString() }];
  }
  if (answer.type === 'MX') {
    const { preference = 0, exchange } = answer.data;
    return [{ ...owner, type: 'MX', data: { preference, exchange: plainName(exchange) } }];
  }
  if (answer.type === 'TLSA') {
    // A copy, as it is kept longer than the message that it stands in.
    return [{ ...owner, type: 'TLSA', data: { ...answer.data, certificate: Buffer.from(answer.data.certificate) } }];
  }
  return [];
}

function negativeTtlOf({ authorities = [] }: Shown): number {
  const soa = authorities.find((each) => each.type === 'SOA');
  if (soa === undefined || !('ttl' in soa)) return 0;
  return Math.min(ttlOf(soa.ttl), ttlOf(soa.data.minimum));
}

/** RFC 2181 8: one with the highest bit set counts as zero. */
function ttlOf(ttl = 0): number {
  return ttl > 0x7fffffff ? 0 : ttl;
}
