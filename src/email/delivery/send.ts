import type { SecureChannel } from './connect.ts';
import { PeerFailure, type Reply } from './smtp-replies.ts';

export interface Dispatch {
  returnPath: string;
  recipients: string[];
  /** The message as DATA carries it, up to and with the dot that ends it. */
  data: Buffer;
}

/** Thrown where a peer got a whole message and broke off before it answered: nobody knows what became of it. */
export class Unanswered extends PeerFailure {}

/** How one recipient fared: the peer's code decides between done, for good, and once more. */
export interface Outcome {
  result: 'delivered' | 'refused' | 'deferred';
  code: number | null;
  /** The peer's own words. */
  reply: string | null;
  /** Whether the peer said it to RCPT, so about this address and nothing else. */
  toRcpt?: true;
}

const COMMAND_MS = 5 * 60_000; // RFC 5321 4.5.3.2
const FINAL_DOT_MS = 10 * 60_000; // RFC 5321 4.5.3.2.6
const LONGEST_REPLY = 512;

/** Sends one message over a secure channel and answers for each recipient in order. */
export async function sendMessage(
  channel: SecureChannel,
  { returnPath, recipients, data: content }: Dispatch,
): Promise<Outcome[]> {
  const commands = [`MAIL FROM:<${returnPath}>`, ...recipients.map((address) => `RCPT TO:<${address}>`), 'DATA'];
  const replies = await converse(channel, commands);
  const [mail, ...rest] = replies as [Reply, ...Reply[]];
  const data = rest.at(-1) as Reply;
  const answers = rest.slice(0, -1).map((reply) => (mail.code === 250 ? reply : mail));
  const anyAccepted = answers.some((reply) => isAccepted(reply));
  const outcomes = (last: Reply) =>
    answers.map((reply) => (isAccepted(reply) ? outcomeOf(last) : refusalOf(reply, mail.code === 250)));
  if (data.code !== 354) {
    if (mail.code === 250) await converse(channel, ['RSET']);
    return outcomes(data);
  }
  // With no recipient left, the message ends before it begins.
  channel.write(anyAccepted ? content : '.\r\n');
  const final = await channel.reply(FINAL_DOT_MS).catch(() => {
    throw new Unanswered('the peer did not answer to a whole message');
  });
  return outcomes(final);
}

async function converse(channel: SecureChannel, commands: string[]): Promise<Reply[]> {
  const replies: Reply[] = [];
  const together = channel.extensions.has('PIPELINING');
  if (together) channel.write(`${commands.join('\r\n')}\r\n`);
  for (const command of commands) {
    if (!together) channel.write(`${command}\r\n`);
    replies.push(await channel.reply(COMMAND_MS));
  }
  return replies;
}

/** Doubles leading dots and ends with the dot of its own (RFC 5321 4.5.2). */
export function stuffDots(mime: Buffer): Buffer {
  const text = mime.toString('latin1');
  const stuffed = text.replaceAll('\r\n.', '\r\n..');
  const ended = stuffed.endsWith('\r\n') ? stuffed : `${stuffed}\r\n`;
  return Buffer.from(`${ended.startsWith('.') ? '.' : ''}${ended}.\r\n`, 'latin1');
}

function isAccepted({ code }: Reply): boolean {
  return code === 250 || code === 251;
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
