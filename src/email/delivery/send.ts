import type { SecureChannel } from './connect.ts';
import type { Reply } from './smtp-replies.ts';

export interface Dispatch {
  returnPath: string;
  recipients: string[];
  mime: Buffer;
}

/** How one recipient fared: the peer's code decides between done, for good, and once more. */
export interface Outcome {
  result: 'delivered' | 'refused' | 'deferred';
  code: number | null;
  /** The peer's own words. */
  reply: string | null;
}

const COMMAND_MS = 5 * 60_000; // RFC 5321 4.5.3.2
const FINAL_DOT_MS = 10 * 60_000; // RFC 5321 4.5.3.2.6
const LONGEST_REPLY = 512;

/** Sends one message over a secure channel and answers for each recipient in order. */
export async function sendMessage(
  channel: SecureChannel,
  { returnPath, recipients, mime }: Dispatch,
): Promise<Outcome[]> {
  const commands = [`MAIL FROM:<${returnPath}>`, ...recipients.map((address) => `RCPT TO:<${address}>`), 'DATA'];
  const replies = await converse(channel, commands);
  const [mail, ...rest] = replies as [Reply, ...Reply[]];
  const data = rest.at(-1) as Reply;
  const answers = rest.slice(0, -1).map((reply) => (mail.code === 250 ? reply : mail));
  const anyAccepted = answers.some((reply) => isAccepted(reply));
  if (data.code !== 354) {
    if (mail.code === 250) await converse(channel, ['RSET']);
    return answers.map((reply) => outcomeOf(isAccepted(reply) ? data : reply));
  }
  // With no recipient left, the message ends before it begins.
  channel.write(anyAccepted ? stuffDots(mime) : '.\r\n');
  const final = await channel.reply(FINAL_DOT_MS);
  return answers.map((reply) => outcomeOf(isAccepted(reply) ? final : reply));
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
function stuffDots(mime: Buffer): Buffer {
  const text = mime.toString('latin1');
  const stuffed = text.replaceAll('\r\n.', '\r\n..');
  const ended = stuffed.endsWith('\r\n') ? stuffed : `${stuffed}\r\n`;
  return Buffer.from(`${ended.startsWith('.') ? '.' : ''}${ended}.\r\n`, 'latin1');
}

function isAccepted({ code }: Reply): boolean {
  return code === 250 || code === 251;
}

function outcomeOf(reply: Reply): Outcome {
  const { code, lines } = reply;
  const words = `${code} ${lines.join(' ')}`.slice(0, LONGEST_REPLY);
  if (isAccepted(reply)) return { result: 'delivered', code, reply: words };
  return { result: code >= 500 ? 'refused' : 'deferred', code, reply: words };
}
