import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import * as dnsPacket from 'dns-packet';

const CNAMES_FOLLOWED = 16;
/** Flags of a reply by a resolver that recurses. */
const REPLY = dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE;
const SERVFAIL = 2;
const NXDOMAIN = 3;

export interface TlsaRecord {
  usage: number;
  selector: number;
  matchingType: number;
  certificate: Buffer;
}

/** What the name server knows about one name, and how it tells it. */
export interface Name {
  /** Preference and host; `[[0, '.']]` says that the domain takes no mail (RFC 7505). */
  mx?: [number, string][];
  a?: string[];
  aaaa?: string[];
  txt?: string[];
  cname?: string;
  tlsa?: TlsaRecord[];
  /** Sets the AD bit, as a resolver does that has checked the signatures. */
  authentic?: boolean;
  fails?: 'SERVFAIL' | 'NXDOMAIN' | 'silence';
  /** Gives nothing by UDP but the wish to be asked by TCP. */
  truncated?: boolean;
}

export type Zone = Record<string, Name>;

export interface NameServer {
  /** 127.0.0.1:port, the same port by UDP and by TCP. */
  address: string;
  /** Every question that came, such as `MX example.com`, and ` by TCP` behind it. */
  asked: string[];
}

/** A name server on 127.0.0.1 that looks every name up anew for every question, and has nobody keep its answers. */
export async function startNameServer(
  t: Pick<TestContext, 'after'>,
  lookUp: (name: string) => Name | undefined,
  ttl = 0,
): Promise<NameServer> {
  const asked: string[] = [];
  const udp = createSocket('udp4');
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const reply = replyTo(received.subarray(2, end), 'TCP');
        received = received.subarray(end);
        if (reply !== null) socket.write(Buffer.concat([lengthOf(reply), reply]));
      }
    });
  });
  udp.on('message', (query, peer) => {
    const reply = replyTo(query, 'UDP');
    if (reply !== null) udp.send(reply, peer.port, peer.address);
  });

  function replyTo(query: Buffer, by: 'UDP' | 'TCP'): Buffer | null {
    const { id, questions } = dnsPacket.decode(query);
    const question = questions?.[0];
    if (question === undefined) return null;
    asked.push(`${question.type} ${question.name.toLowerCase()}${by === 'TCP' ? ' by TCP' : ''}`);
    const answer = answerTo(lookUp, question);
    if (answer === null) return null;
    const { rcode, authentic, truncated, records } = answer;
    const ad = authentic ? dnsPacket.AUTHENTIC_DATA : 0;
    const cut = truncated && by === 'UDP';
    const flags = REPLY | rcode | ad | (cut ? dnsPacket.TRUNCATED_RESPONSE : 0);
    return dnsPacket.encode({
      type: 'response',
      id: id ?? 0,
      flags,
      questions: [question],
      answers: cut ? [] : records.map((record) => ({ ...record, ttl })),
      authorities: records.length === 0 && ttl > 0 ? [absenceOf(question.name, ttl)] : [],
    });
  }

  const port = await bindBoth();
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    tcp.close();
    udp.close();
  });
  return { address: `127.0.0.1:${port}`, asked };

  /** The system chooses by TCP, where far more ports are in use than by UDP. */
  async function bindBoth(): Promise<number> {
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const chosen = (tcp.address() as { port: number }).port;
    await new Promise<void>((resolve, reject) => udp.once('error', reject).bind(chosen, '127.0.0.1', resolve));
    return chosen;
  }
}

interface Answer {
  rcode: number;
  authentic: boolean;
  truncated: boolean;
  records: dnsPacket.Answer[];
}

/** Follows CNAMEs as a resolver does; null is silence. The answer is as authentic as its weakest part. */
function answerTo(lookUp: (name: string) => Name | undefined, { name, type }: dnsPacket.Question): Answer | null {
  const answer: Answer = { rcode: 0, authentic: true, truncated: false, records: [] };
  let at = name;
  for (let step = 0; step <= CNAMES_FOLLOWED; step += 1) {
    const found = lookUp(at.toLowerCase());
    if (found?.fails === 'silence') return null;
    answer.authentic &&= found?.authentic === true;
    answer.truncated ||= found?.truncated === true;
    if (found?.fails === 'SERVFAIL') return { ...answer, rcode: SERVFAIL, authentic: false, records: [] };
    if (found === undefined || found.fails === 'NXDOMAIN') return { ...answer, rcode: NXDOMAIN };
    answer.records.push(...recordsOf(at, type, found));
    if (found.cname === undefined || type === 'CNAME') return answer;
    at = found.cname;
  }
  return answer;
}

function recordsOf(name: string, type: string, found: Name): dnsPacket.Answer[] {
  const { mx = [], a = [], aaaa = [], txt = [], tlsa = [] } = found;
  if (found.cname !== undefined) return [{ name, type: 'CNAME', ttl: 0, data: found.cname }];
  if (type === 'A') return a.map((data) => ({ name, type, ttl: 0, data }));
  if (type === 'AAAA') return aaaa.map((data) => ({ name, type, ttl: 0, data }));
  if (type === 'TXT') return txt.map((text) => ({ name, type, ttl: 0, data: text.match(/.{1,255}/gs) ?? [''] }));
  if (type === 'MX')
    return mx.map(([preference, exchange]) => ({ name, type, ttl: 0, data: { preference, exchange } }));
  if (type === 'TLSA') return tlsa.map((data) => ({ name, type, ttl: 0, data }));
  return [];
}

/** Says for how long the absence of a record holds (RFC 2308 3). */
function absenceOf(name: string, ttl: number): dnsPacket.Answer {
  const times = { serial: 1, refresh: 3600, retry: 600, expire: 86_400, minimum: ttl };
  return { name, type: 'SOA', ttl, data: { mname: 'ns.invalid', rname: 'nobody.invalid', ...times } };
}

function lengthOf(message: Buffer): Buffer {
  return Buffer.from([message.length >> 8, message.length & 0xff]);
}
