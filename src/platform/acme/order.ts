import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountKey } from './account-key.ts';
import { AcmeRefused, type Authority } from './authority.ts';
import { makeSigningRequest } from './signing-request.ts';

export interface Issued {
  /** The certificate and those above it, in PEM. */
  cert: string;
  key: string;
}

interface Deps {
  authority: Authority;
  account: { url: string; key: AccountKey };
  /** Makes an answer known to every node before the authority is asked to look. */
  publish(token: string, answer: string): Promise<void>;
  stopping: AbortSignal;
}

interface Order {
  status: string;
  authorizations: string[];
  finalize: string;
  certificate?: string;
  error?: { detail?: string };
}

interface Authorization {
  status: string;
  identifier: { value: string };
  challenges: { type: string; url: string; token: string; error?: { detail?: string } }[];
}

const LOOK_EVERY_MS = 1_000;
const LOOKS = 90;
const TOKEN = /^[A-Za-z0-9_-]{1,200}$/;

/** Has a certificate for these names issued (RFC 8555 7.4), proving each one by http-01. */
export async function orderCertificate(deps: Deps, names: readonly string[]): Promise<Issued> {
  const { authority, account } = deps;
  const made = await authority.newOrder<Order>(account.url, names);
  for (const url of made.body.authorizations) await prove(deps, url);
  const { key, request } = await makeSigningRequest(names);
  await authority.post(account.url, made.body.finalize, { csr: request.toString('base64url') });
  const order = await settled<Order>(
    deps,
    made.location,
    ({ status }) => status === 'processing' || status === 'ready',
  );
  if (order.certificate === undefined) {
    throw new AcmeRefused(`the order ended ${order.status} ${order.error?.detail ?? ''}`.trim());
  }
  return { cert: await authority.read(account.url, order.certificate), key };
}

async function prove(deps: Deps, url: string): Promise<void> {
  const { authority, account, publish } = deps;
  const { body } = await authority.post<Authorization>(account.url, url);
  if (body.status === 'valid') return; // RFC 8555 7.1.3: proven before
  const name = body.identifier.value;
  const challenge = body.challenges.find(({ type }) => type === 'http-01');
  if (challenge === undefined || !TOKEN.test(challenge.token)) {
    throw new AcmeRefused(`the authority offers no http-01 for ${name}`);
  }
  await publish(challenge.token, account.key.answerTo(challenge.token));
  await authority.post(account.url, challenge.url, {});
  const seen = await settled<Authorization>(deps, url, ({ status }) => status === 'pending');
  if (seen.status === 'valid') return;
  const reason = seen.challenges.find(({ type }) => type === 'http-01')?.error?.detail ?? '';
  throw new AcmeRefused(`${name} could not be shown to be ours: ${reason}`.slice(0, 300));
}

/** Looks until something is decided. */
async function settled<T>(
  { authority, account, stopping }: Deps,
  url: string,
  isOpen: (seen: T) => boolean,
): Promise<T> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { body } = await authority.post<T>(account.url, url);
    if (!isOpen(body)) return body;
    await sleep(LOOK_EVERY_MS, undefined, { signal: stopping });
  }
  throw new AcmeRefused('the authority did not decide in time');
}
