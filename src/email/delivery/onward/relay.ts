import type { Patience, SecureChannel, Target } from '../dialogue/connect.ts';
import { PeerFailure } from '../dialogue/smtp-replies.ts';

const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465; // RFC 8314 3.3

/** The next hop that a URL names, and how to sign in there. */
export interface Relay {
  target: Target;
  signIn(channel: SecureChannel): Promise<void>;
}

/** Reads `smtp://user:password@host:port` or `smtps://…`. */
export function readRelay(
  text: string,
  { heloName, authorities, patience }: { heloName: string; authorities: string | undefined; patience: Patience },
): Relay {
  const url = new URL(text);
  const tlsFirst = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const [user, password] = [url.username, url.password].map(decodeURIComponent) as [string, string];
  return {
    target: {
      host,
      port: Number(url.port || (tlsFirst ? SUBMISSIONS_PORT : SUBMISSION_PORT)),
      serverName: host,
      heloName,
      tlsFirst,
      ...(authorities === undefined ? {} : { authorities }),
    },
    async signIn(channel) {
      if (user === '') return;
      channel.write(`AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString('base64')}\r\n`);
      const reply = await channel.reply(patience.commandMs);
      if (reply.code !== 235) throw new PeerFailure('turned away', 'the next hop refused the sign-in', reply);
    },
  };
}
