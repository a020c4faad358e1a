import type { Clock } from '../../../platform/clock.ts';
import { DnsFailed } from '../../../platform/net/dns/dns-failed.ts';
import { type Destination, type FindDestination, isDestination, type Reached } from '../onward/destination.ts';
import type { Judgement } from '../tls/judge.ts';
import { clearForContent, type Patience, type SecureChannel } from './connect.ts';
import { type Content, type Notice, type Outcome, sendContent, sendNotice } from './send.ts';
import { PeerFailure } from './smtp-replies.ts';

/** What is to be sent: content with, perhaps, a notice that goes in its place; or what may go over any TLS. */
export type Letter =
  | {
      kind: 'content';
      write(): Promise<Content>;
      /** The notice to one of the recipients, by their place; null where nothing can stand for the content. */
      notice: ((recipient: number) => Promise<Notice>) | null;
      /** Whether the notice goes in any case. */
      noticeOnly: boolean;
    }
  | { kind: 'notice'; write(): Promise<Notice> };

/** One message for recipients of one domain. */
export interface Errand {
  domain: string;
  returnPath: string;
  recipients: string[];
  letter: Letter;
  /** Whether the sender takes encrypted for enough where nobody can be verified. */
  encryptedIsEnough: boolean;
}

/** Whom a message was given to. */
export interface Met {
  host: string;
  address: string;
  tls: { version: string; cipher: string };
  certificateHash: Buffer;
  judgement: Judgement;
}

export interface Carried {
  outcomes: Outcome[];
  met: Met | null;
  /** Whether it was the notice that was sent. */
  notice: boolean;
}

/** Thrown where an errand was not begun, as the product is stopping. */
export class Stopping extends Error {}

/** Carries messages, one errand at a time for each caller. */
export type Courier = (errand: Errand) => Promise<Carried>;

interface Deps {
  find: FindDestination;
  patience: Patience;
  clock: Clock;
  /** Aborted when the product stops: what has not begun then stays as it is. */
  stopping: AbortSignal;
  /** Aborted when nothing that is being said is waited for any more. */
  ending: AbortSignal;
  /** Called when content has gone to a peer that was verified. */
  onVerified(domain: string): void;
}

/** Builds what carries messages to where their recipients' mail is taken, never but over TLS. */
export function createCourier(deps: Deps): Courier {
  return async (errand) => {
    try {
      const found = await deps.find(errand.domain);
      if (!isDestination(found)) return sameForAll(errand, { result: 'refused', ...found });
      return await found.site.turn(() => carryTo(deps, found, errand));
    } catch (error) {
      if (error instanceof PeerFailure) return sameForAll(errand, failureOf(error));
      if (error instanceof DnsFailed)
        return sameForAll(errand, later('The mail servers of the domain cannot be looked up'));
      throw error;
    }
  };
}

async function carryTo(deps: Deps, destination: Destination, errand: Errand): Promise<Carried> {
  if (deps.stopping.aborted) throw new Stopping('the product is stopping');
  const { site } = destination;
  const rest = site.restAt(deps.clock.now());
  if (rest !== null) return sameForAll(errand, failureOf(rest.failure));
  const idle = site.takeIdle((channel) => mayCarry(destination.judge(channel), errand));
  if (idle !== null) {
    try {
      return await hand(deps, destination, { channel: idle, judgement: destination.judge(idle) }, errand);
    } catch (error) {
      // A connection that lay idle may have ended unseen; nothing was sent on it.
      if (!(error instanceof PeerFailure)) throw error;
    }
  }
  return hand(deps, destination, await connect(deps, destination), errand);
}

async function connect({ clock, ending }: Deps, { site, connect: open }: Destination): Promise<Reached> {
  try {
    return await open(ending);
  } catch (error) {
    if (error instanceof PeerFailure && error.kind !== 'policy') site.failed(clock.now(), error);
    throw error;
  }
}

/** Whether anything of an errand may be said on a channel of which this is held. */
function mayCarry({ verified, mayNotice, mayWaive }: Judgement, { letter, encryptedIsEnough }: Errand): boolean {
  if (verified || (mayWaive && encryptedIsEnough)) return true;
  return mayNotice && (letter.kind === 'notice' || letter.notice !== null);
}

async function hand(
  deps: Deps,
  { site }: Destination,
  { channel, judgement }: Reached,
  errand: Errand,
): Promise<Carried> {
  const breakOff = () => channel.destroy();
  deps.ending.addEventListener('abort', breakOff);
  try {
    const carried = await say(deps, { channel, judgement }, errand);
    if (carried.outcomes.some(({ code }) => code !== null && code >= 400 && code < 500)) site.slowed();
    else if (carried.outcomes.some(({ result }) => result === 'delivered')) site.succeeded();
    if (carried.outcomes.some(({ code }) => code === 421)) channel.close();
    else site.keep(channel);
    return carried;
  } catch (error) {
    channel.close();
    throw error;
  } finally {
    deps.ending.removeEventListener('abort', breakOff);
  }
}

async function say({ patience, onVerified }: Deps, { channel, judgement }: Reached, errand: Errand): Promise<Carried> {
  const { letter } = errand;
  const met = metOn(channel, judgement);
  const content = clearForContent(channel, judgement, errand.encryptedIsEnough);
  if (content !== null && !(letter.kind === 'content' && letter.noticeOnly)) {
    const outcomes = await sendContent(content, errand, await letter.write(), patience);
    if (judgement.verified) onVerified(errand.domain);
    return { outcomes, met, notice: false };
  }
  if (!judgement.verified && !judgement.mayNotice) return { ...forWantOf(errand, judgement), met };
  if (letter.kind === 'notice') {
    return { outcomes: await sendNotice(channel, errand, await letter.write(), patience), met, notice: false };
  }
  if (letter.notice === null) return { ...forWantOf(errand, judgement), met };
  return { outcomes: await notifyEach(channel, errand, letter.notice, patience), met, notice: true };
}

/** Each recipient has a notice of their own. */
async function notifyEach(
  channel: SecureChannel,
  { returnPath, recipients }: Errand,
  noticeTo: (recipient: number) => Promise<Notice>,
  patience: Patience,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [place, recipient] of recipients.entries()) {
    const envelope = { returnPath, recipients: [recipient] };
    try {
      outcomes.push(...(await sendNotice(channel, envelope, await noticeTo(place), patience)));
    } catch (error) {
      if (place === 0) throw error;
      outcomes.push(error instanceof PeerFailure ? failureOf(error) : later('The attempt failed on our side'));
    }
  }
  return outcomes;
}

function forWantOf(errand: Errand, { reason }: Judgement): Carried {
  return sameForAll(errand, { ...later(capital(reason ?? 'the server cannot be verified')), tls: 'unverified' });
}

function metOn({ facts }: SecureChannel, judgement: Judgement): Met {
  const { host, address, tls, certificate } = facts;
  return { host, address, tls, certificateHash: certificate.hash, judgement };
}

function sameForAll({ recipients }: Errand, outcome: Outcome): Carried {
  return { outcomes: recipients.map(() => outcome), met: null, notice: false };
}

function failureOf(error: PeerFailure): Outcome {
  const said = later(sayWhy(error));
  if (error.kind === 'policy') return { ...said, tls: 'unverified' };
  return error.kind === 'no tls' || error.kind === 'tls failed' ? { ...said, tls: 'missing' } : said;
}

function later(reply: string): Outcome {
  return { result: 'deferred', code: null, reply };
}

/** What a failure is to a person; a peer that said something is quoted. */
function sayWhy({ message, reply }: PeerFailure): string {
  return reply === null
    ? capital(message)
    : `${capital(message)}: ${reply.code} ${reply.lines.join(' ')}`.slice(0, 512);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
