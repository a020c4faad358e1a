import { isAscii } from 'node:buffer';
import type { ContentChannel, Patience, SecureChannel } from './connect.ts';
import { LAST_LINE } from './dots.ts';
import { PeerFailure, type Reply } from './smtp-replies.ts';

interface Envelope {
  returnPath: string;
  recipients: string[];
}

/** What leaves: `data` is the message as DATA carries it, up to and with the dot that ends it. */
export interface Content {
  kind: 'content';
  data: Buffer;
}

/** What says nothing about anybody's health, and so may go where content may not. */
export interface Notice {
  kind: 'notice';
  data: Buffer;
}

/**
 * How one recipient fared: the peer's code decides between done, for good, and once more. Where the peer got the whole
 * message and did not answer, only the peer knows.
 */
export interface Outcome {
  result: 'delivered' | 'refused' | 'deferred' | 'uncertain';
  code: number | null;
  /** The peer's own words; ours where there is no code. */
  reply: string | null;
  /** Whether the peer said it to RCPT, so about this address and nothing else. */
  toRcpt?: true;
  /** Whether it is for want of TLS: there was none, or none that could be verified as it has to be. */
  tls?: 'missing' | 'unverified';
}

const UNCERTAIN: Outcome = {
  result: 'uncertain',
  code: null,
  reply: 'The server did not answer after the message was sent',
};

const CUT_OFF: Outcome = {
  result: 'deferred',
  code: null,
  reply: 'The connection ended before the whole message had left',
};

const ANSWERED_AHEAD: Outcome = {
  result: 'deferred',
  code: null,
  reply: 'The server answered before it had the whole message',
};

const LONGEST_REPLY = 512;
/** So much goes to the system in one go, and nobody breaks off in the middle of it. */
const LEAVES_AT_ONCE = 64 * 1024;

/** Sends content over a channel that is cleared for it, and answers for each recipient in order. */
export function sendContent(
  channel: ContentChannel,
  envelope: Envelope,
  { data }: Content | Notice,
  patience: Patience,
): Promise<Outcome[]> {
  return send(channel, envelope, data, patience);
}

/** Sends a notice over any secure channel. */
export function sendNotice(
  channel: SecureChannel,
  envelope: Envelope,
  { data }: Notice,
  patience: Patience,
): Promise<Outcome[]> {
  return send(channel, envelope, data, patience);
}

/** Those whose address the peer cannot take keep nobody else from getting the message. */
async function send(
  channel: SecureChannel,
  envelope: Envelope,
  content: Buffer,
  patience: Patience,
): Promise<Outcome[]> {
  const { recipients } = envelope;
  const takesAll = channel.facts.extensions.has('SMTPUTF8');
  const taken = takesAll ? recipients : recipients.filter((address) => !NOT_ASCII.test(address));
  if (taken.length === 0) return recipients.map(() => NO_FOREIGN_ADDRESSES);
  const outcomes = await sendToAll(channel, { ...envelope, recipients: taken }, content, patience);
  const outcomeTo = new Map(taken.map((address, at) => [address, outcomes[at] as Outcome]));
  return recipients.map((address) => outcomeTo.get(address) ?? NO_FOREIGN_ADDRESSES);
}

async function sendToAll(
  channel: SecureChannel,
  { returnPath, recipients }: Envelope,
  content: Buffer,
  { commandMs, finalDotMs }: Patience,
): Promise<Outcome[]> {
  const asked = mailCommand(channel, { returnPath, recipients }, content);
  if (typeof asked !== 'string') return recipients.map(() => asked);
  channel.carried += 1;
  const commands = [asked, ...recipients.map((address) => `RCPT TO:<${address}>`), 'DATA'];
  const replies = await converse(channel, commands, commandMs);
  const [mail, ...rest] = replies as [Reply, ...Reply[]];
  const data = rest.at(-1) as Reply;
  const answers = rest.slice(0, -1).map((reply) => (isAccepted(mail) ? reply : mail));
  const anyAccepted = answers.some((reply) => isAccepted(reply));
  const outcomesWith = (last: Outcome) =>
    answers.map((reply) => (isAccepted(reply) ? last : refusalOf(reply, isAccepted(mail))));
  if (data.code < 354) throw new PeerFailure('broken', 'the server did not ask for the message');
  if (data.code !== 354) {
    await converse(channel, ['RSET'], commandMs).catch(() => channel.close());
    return outcomesWith(outcomeOf(data));
  }
  if (!anyAccepted) {
    // With no recipient left, the message ends before it begins.
    channel.write('.\r\n');
    await channel.reply(finalDotMs).catch(() => channel.close());
    return outcomesWith(outcomeOf(data));
  }
  return outcomesWith(await giveContent(channel, content, finalDotMs));
}

/** Gives a message to a peer that has asked for it; one that has spoken since, or hung up, does not get it. */
function giveContent(channel: SecureChannel, content: Buffer, finalDotMs: number): Promise<Outcome> | Outcome {
  if (channel.ahead !== undefined) return breakOff(channel, channel.ahead);
  if (content.length > LEAVES_AT_ONCE) return giveEndLast(channel, content, finalDotMs);
  channel.write(content);
  return settleWith(channel, answerOf(channel, finalDotMs));
}

/**
 * Keeps the end of a message back until all before it has left: whatever a peer says or does earlier, it cannot have taken
 * the message (RFC 5321 4.1.1.4).
 */
async function giveEndLast(channel: SecureChannel, content: Buffer, finalDotMs: number): Promise<Outcome> {
  const isOut = channel.writeOut(content.subarray(0, -LAST_LINE.length));
  const answer = answerOf(channel, finalDotMs);
  const isAllOut = await Promise.race([isOut, answer.then(() => false)]);
  // Of a peer that hangs up in an orderly way nothing is heard yet, but nothing more can be written.
  if (!isAllOut || !channel.usable) return breakOff(channel, await answer);
  channel.prolong(); // RFC 5321 4.5.3.2.6: so long after the end, however long the way there was
  channel.write(LAST_LINE);
  return settleWith(channel, answer);
}

function answerOf(channel: SecureChannel, finalDotMs: number): Promise<Reply | Error> {
  return channel.reply(finalDotMs).catch((error: Error) => error);
}

/** What a message comes to whose end was written. */
async function settleWith(channel: SecureChannel, answer: Promise<Reply | Error>): Promise<Outcome> {
  const final = await answer;
  if (channel.isFlushed) return final instanceof Error ? UNCERTAIN : outcomeOf(final);
  channel.destroy(); // the next message is written in the same memory, and must not follow here
  return final instanceof Error || isAccepted(final) ? UNCERTAIN : outcomeOf(final);
}

/** Gives nothing more to a peer that speaks or hangs up before it has everything. */
function breakOff(channel: SecureChannel, said: Reply | Error): Outcome {
  channel.destroy();
  if (said instanceof Error) return CUT_OFF;
  return isAccepted(said) ? ANSWERED_AHEAD : outcomeOf(said);
}

const NOT_ASCII = /[^\0-\x7f]/;

const NO_FOREIGN_ADDRESSES: Outcome = {
  result: 'refused',
  code: 550,
  reply: '550 5.6.7 The server takes no addresses beyond ASCII (SMTPUTF8)',
};

// Only an attached message (RFC 2046 5.2.1) and an address that is shown leave with more than seven bits.
const NO_EIGHT_BITS: Outcome = {
  result: 'refused',
  code: 554,
  reply: '554 5.6.3 The server takes no attached message and no header beyond ASCII (8BITMIME)',
};

/** The headers: addresses in them ask for SMTPUTF8 too (RFC 6531 3.3), whoever the recipients are. */
function headOf(content: Buffer): Buffer {
  const end = content.indexOf('\r\n\r\n');
  return end === -1 ? content : content.subarray(0, end);
}

/** The MAIL command with what this message needs of the peer; or why the peer cannot have it, said in its place. */
function mailCommand(channel: SecureChannel, { returnPath, recipients }: Envelope, content: Buffer): string | Outcome {
  const { extensions } = channel.facts;
  const largest = Number(extensions.get('SIZE') ?? 0); // RFC 1870 4: 0 is no limit that it knows of
  if (largest > 0 && content.length > largest) {
    return { result: 'refused', code: 552, reply: '552 5.3.4 The message is larger than the server takes' };
  }
  const size = extensions.has('SIZE') ? ` SIZE=${content.length}` : '';
  const isForeign = [returnPath, ...recipients].some((address) => NOT_ASCII.test(address));
  if (!isForeign && isAscii(content)) return `MAIL FROM:<${returnPath}>${size}`;
  const eightBits = `MAIL FROM:<${returnPath}>${size} BODY=8BITMIME`;
  if (extensions.has('SMTPUTF8') && (isForeign || !isAscii(headOf(content)))) return `${eightBits} SMTPUTF8`;
  if (isForeign) return NO_FOREIGN_ADDRESSES;
  // Nobody misses a message because of an address that it only shows.
  return extensions.has('8BITMIME') || extensions.has('SMTPUTF8') ? eightBits : NO_EIGHT_BITS;
}

async function converse(channel: SecureChannel, commands: string[], commandMs: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  const together = channel.facts.extensions.has('PIPELINING');
  if (together) channel.write(`${commands.join('\r\n')}\r\n`);
  for (const command of commands) {
    if (!together) channel.write(`${command}\r\n`);
    replies.push(await channel.reply(commandMs));
  }
  return replies;
}

/** The first digit decides (RFC 5321 4.2.1). */
function isAccepted({ code }: Reply): boolean {
  return code >= 200 && code < 300;
}

function refusalOf(reply: Reply, toRcpt: boolean): Outcome {
  return { ...outcomeOf(reply), ...(toRcpt ? { toRcpt } : {}) };
}

function outcomeOf(reply: Reply): Outcome {
  const { code, lines } = reply;
  const words = `${code} ${lines.join(' ')}`.slice(0, LONGEST_REPLY);
  if (isAccepted(reply)) return { result: 'delivered', code, reply: words };
  return { result: code >= 500 ? 'refused' : 'deferred', code, reply: words };
}
