import type { AccountKey } from './account-key.ts';
import type { AcmeReply, SendToAuthority } from './send.ts';

interface Refusal {
  problem: string | null;
  retryAfterSeconds: number | null;
}

/** The authority refused; its own words are told, which name our domains and nothing else of ours. */
export class AcmeRefused extends Error {
  override name = 'AcmeRefused';
  /** What is wrong, by its name in RFC 8555 6.7. */
  readonly problem: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(message: string, { problem, retryAfterSeconds }: Partial<Refusal> = {}) {
    super(message);
    this.problem = problem ?? null;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

export interface Answer<T> {
  body: T;
  /** Where the thing that was made or asked for is. */
  location: string;
}

/** An ACME authority, talked to with one account key. */
export interface Authority {
  newAccount(email: string): Promise<string>;
  newOrder<T>(account: string, names: readonly string[]): Promise<Answer<T>>;
  /** Posts, or reads where there is no payload (RFC 8555 6.3). */
  post<T>(account: string, url: string, payload?: object): Promise<Answer<T>>;
  /** The same for what is no JSON. */
  read(account: string, url: string): Promise<string>;
}

interface Directory {
  newNonce: string;
  newAccount: string;
  newOrder: string;
}

interface Problem {
  type?: string;
  detail?: string;
}

const TRIES = 10;
const BAD_NONCE = 'urn:ietf:params:acme:error:badNonce';
const MOST_WORDS = 300;

/** Reads the directory of an authority (RFC 8555 7.1.1), through which all else is found. */
export async function openAuthority(send: SendToAuthority, directory: string, key: AccountKey): Promise<Authority> {
  const first = await send(directory);
  if (first.status !== 200) throw refusalOf(first);
  const places = JSON.parse(first.text) as Directory;
  let nonce: string | undefined;

  async function freshNonce(): Promise<string> {
    const kept = nonce;
    nonce = undefined;
    const given = kept ?? (await send(places.newNonce)).headers['replay-nonce'];
    if (typeof given !== 'string') throw new AcmeRefused('the authority gave no nonce');
    return given;
  }

  /** Says who is asking by the account's address, or by the key itself while there is no account. */
  async function ask(
    url: string,
    who: { kid: string } | { jwk: AccountKey['jwk'] },
    payload: string,
  ): Promise<AcmeReply> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await send(url, key.sign({ ...who, nonce: await freshNonce(), url }, payload));
      const given = reply.headers['replay-nonce'];
      if (typeof given === 'string') nonce = given;
      if (reply.status < 300) return reply;
      // RFC 8555 6.5: the nonce of the refusal is good for another try.
      if (problemIn(reply).type !== BAD_NONCE || attempt === TRIES) throw refusalOf(reply);
    }
  }

  async function post<T>(account: string, url: string, payload?: object): Promise<Answer<T>> {
    const reply = await ask(url, { kid: account }, payload === undefined ? '' : JSON.stringify(payload));
    return { body: JSON.parse(reply.text) as T, location: reply.headers.location ?? url };
  }

  return {
    post,
    read: async (account, url) => (await ask(url, { kid: account }, '')).text,
    newOrder: (account, names) =>
      post(account, places.newOrder, { identifiers: names.map((value) => ({ type: 'dns', value })) }),
    async newAccount(email) {
      const wanted = { termsOfServiceAgreed: true, contact: [`mailto:${email}`] };
      const reply = await ask(places.newAccount, { jwk: key.jwk }, JSON.stringify(wanted));
      if (reply.headers.location === undefined) throw new AcmeRefused('the authority named no account');
      return reply.headers.location;
    },
  };
}

function problemIn({ text }: AcmeReply): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return {};
  }
}

function refusalOf(reply: AcmeReply): AcmeRefused {
  const { type = '', detail = '' } = problemIn(reply);
  const problem = type.split(':').at(-1) as string;
  const seconds = Number(reply.headers['retry-after']);
  const words = `the authority answered ${reply.status} ${problem} ${detail}`.trim();
  const retryAfterSeconds = Number.isFinite(seconds) ? seconds : null;
  return new AcmeRefused(words.slice(0, MOST_WORDS), { problem, retryAfterSeconds });
}
