import type { DnsRecord, Purpose } from './records.ts';

/** How a record stands in DNS, and what was found in its place, which is public. */
export interface Finding {
  status: 'found' | 'missing' | 'differs' | 'unanswered';
  found: string[];
}

const MOST_FOUND = 5;
const LONGEST_FOUND = 600;
const SPF = /^v=spf1( |$)/i;
const DMARC = /^v=DMARC1\s*(;|$)/;

/** Holds what DNS answered against a record. */
export function compare({ purpose, value }: Pick<DnsRecord, 'purpose' | 'value'>, answers: readonly string[]): Finding {
  const { concerns, fits } = COMPARISONS[purpose];
  const about = answers.map((answer) => answer.trim()).filter(concerns);
  const found = about.slice(0, MOST_FOUND).map((answer) => answer.slice(0, LONGEST_FOUND));
  if (about.length === 0) return { status: 'missing', found };
  return { status: fits(about, value) ? 'found' : 'differs', found };
}

interface Comparison {
  /** Whether a record at this name is about this at all: there may be others. */
  concerns(answer: string): boolean;
  fits(answers: string[], value: string): boolean;
}

const COMPARISONS: Record<Purpose, Comparison> = {
  ownership: {
    concerns: (answer) => answer.startsWith('carepost-verify='),
    // Each customer that sends from the domain has one.
    fits: (answers, value) => answers.includes(value),
  },
  dkim: { concerns: () => true, fits: ([answer = '', ...more], value) => more.length === 0 && sameKey(answer, value) },
  spf: {
    concerns: (answer) => SPF.test(answer),
    // RFC 7208 4.5: two records are an error.
    fits: ([answer = '', ...more], value) => more.length === 0 && includes(answer, value),
  },
  dmarc: {
    concerns: (answer) => DMARC.test(answer),
    // RFC 7489 6.6.3: two records are none.
    fits: ([answer = '', ...more]) =>
      more.length === 0 && /^(none|quarantine|reject)$/i.test(tagsOf(answer).get('p') ?? ''),
  },
  return_path: { concerns: () => true, fits: (answers, value) => answers.some((answer) => sameName(answer, value)) },
};

/** RFC 6376 3.6.1: the version may be left out, and so may the type of an RSA key. */
function sameKey(answer: string, value: string): boolean {
  const [published, ours] = [tagsOf(answer), tagsOf(value)];
  return (
    (published.get('v') ?? 'DKIM1') === 'DKIM1' &&
    (published.get('k') ?? 'rsa') === ours.get('k') &&
    published.get('p')?.replace(/\s/g, '') === ours.get('p')
  );
}

function includes(answer: string, value: string): boolean {
  const wanted = value.toLowerCase().split(' ')[1];
  return answer
    .toLowerCase()
    .split(/ +/)
    .some((term) => term.replace(/^\+/, '') === wanted);
}

function sameName(a: string, b: string): boolean {
  return bareName(a) === bareName(b);
}

function bareName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** RFC 6376 3.2: a list of `tag=value`, of which a name stands only once. */
function tagsOf(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(0, at)).trim();
    if (name !== '' && !tags.has(name)) tags.set(name, part.slice(at + 1).trim());
  }
  return tags;
}
