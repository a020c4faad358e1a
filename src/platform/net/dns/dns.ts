import type { Clock } from '../../clock.ts';
import { createExpiringMap } from '../../expiring-map.ts';
import { askServers } from './ask.ts';
import { type DnsRecord, type Mx, plainName, type Question, type QuestionType, type TlsaRecord } from './message.ts';
import { readNameServers } from './name-servers.ts';

export interface DnsAnswer<T> {
  records: T[];
  /** DNSSEC has shown the answer to be the owner's, the answer that there is nothing included. */
  authentic: boolean;
  /** False where there is no such name at all (NXDOMAIN). */
  exists: boolean;
}

/** Asks the name system; a question without an answer throws DnsFailed. Names are in A-labels. */
export interface Dns {
  mx(name: string): Promise<DnsAnswer<Mx>>;
  /** Every IPv6 and IPv4 address. */
  addresses(name: string): Promise<DnsAnswer<string>>;
  /** The strings of each record joined. */
  txt(name: string): Promise<DnsAnswer<string>>;
  tlsa(name: string): Promise<DnsAnswer<TlsaRecord>>;
  /** Where the name itself is an alias for. */
  cname(name: string): Promise<DnsAnswer<string>>;
}

export interface DnsOptions {
  /** `address`, `address:port` or `[v6]:port`; the system's when empty. */
  servers: readonly string[];
  clock: Clock;
  tries?: number;
  tryMs?: number;
}

const TRIES = 2;
const TRY_MS = 3_000;
const MOST_ALIASES = 8;
/** In bytes, about: anybody may have an answer of 64 KB, and thousands of names with one. */
const MOST_KEPT = 16 * 2 ** 20;
const BYTES_OF_A_RECORD = 200;
const LONGEST_KEPT_S = 300;
const LONGEST_NEGATIVE_S = 60;
const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
const NOTHING = { records: [], authentic: false, exists: false };

/** One step of an answer: the records up to the end of the aliases that came with it. */
interface Step {
  records: DnsRecord[];
  authentic: boolean;
  exists: boolean;
  seconds: number;
}

/** Makes a client that keeps answers as long as they hold, five minutes at most, and asks each thing once at a time. */
export function createDns({ servers, clock, tries = TRIES, tryMs = TRY_MS }: DnsOptions): Dns {
  const asking = { servers: readNameServers(servers), tries, tryMs };
  const kept = createExpiringMap(clock, MOST_KEPT, sizeOf);
  const underWay = new Map<string, Promise<Step>>();

  async function ask(question: Question): Promise<Step> {
    const { message, authentic } = await askServers(asking, question);
    const exists = message.outcome === 'found';
    const { records } = message;
    const isPositive = exists && records.length > 0;
    const longest = isPositive ? Math.min(...records.map(({ ttl }) => ttl)) : message.negativeTtl;
    return { records, authentic, exists, seconds: Math.min(longest, isPositive ? LONGEST_KEPT_S : LONGEST_NEGATIVE_S) };
  }

  function once(question: Question): Promise<Step> {
    const key = `${question.type} ${question.name}`;
    const known = kept.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const started = ask(question).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started.then((step) => {
      kept.set(key, step, step.seconds * 1000);
      return step;
    });
  }

  /** Follows aliases within the answers, and by further questions where an answer stops at one (RFC 1034 3.6.2). */
  async function look<T extends QuestionType>(written: string, type: T): Promise<DnsAnswer<DataOf<T>>> {
    let name = plainName(written);
    let authentic = true;
    for (let aliases = 0; aliases <= MOST_ALIASES; ) {
      if (!NAME.test(name)) return NOTHING; // no such name can be asked for
      const step = await once({ name, type });
      authentic &&= step.authentic;
      const asked = name;
      for (let target = aliasOf(step, name, type); target !== null; target = aliasOf(step, name, type)) {
        name = target;
        aliases += 1;
        if (aliases > MOST_ALIASES) break;
      }
      const found = step.records.filter((each) => each.type === type && each.name === name);
      const records = found.map(({ data }) => data as DataOf<T>);
      if (records.length > 0 || !step.exists || name === asked) return { records, authentic, exists: step.exists };
    }
    return { records: [], authentic: false, exists: true };
  }

  return {
    mx: (name) => look(name, 'MX'),
    txt: (name) => look(name, 'TXT'),
    tlsa: (name) => look(name, 'TLSA'),
    cname: (name) => look(name, 'CNAME'),
    addresses: async (name) => joinAnswers(await Promise.allSettled([look(name, 'AAAA'), look(name, 'A')])),
  };
}

function sizeOf({ records }: Step): number {
  return records.reduce((sum, record) => sum + BYTES_OF_A_RECORD + lengthOf(record), BYTES_OF_A_RECORD);
}

/** What a text or a key has beyond what every record has; names and addresses are short. */
function lengthOf(record: DnsRecord): number {
  if (record.type === 'TXT') return record.data.length;
  return record.type === 'TLSA' ? record.data.certificate.length : 0;
}

type DataOf<T extends QuestionType> = Extract<DnsRecord, { type: T }>['data'];

function aliasOf({ records }: Step, name: string, type: QuestionType): string | null {
  if (type === 'CNAME') return null;
  const alias = records.find((each) => each.type === 'CNAME' && each.name === name);
  return alias === undefined ? null : (alias.data as string);
}

/** One kind of address is enough to go on; that there is none may be said only where both kinds were answered. */
function joinAnswers(answers: PromiseSettledResult<DnsAnswer<string>>[]): DnsAnswer<string> {
  const heard = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const records = heard.flatMap((each) => each.records);
  const failed = answers.find((each) => each.status === 'rejected');
  if (failed !== undefined && records.length === 0) throw failed.reason;
  return {
    records,
    authentic: heard.every(({ authentic }) => authentic),
    exists: heard.some(({ exists }) => exists),
  };
}
