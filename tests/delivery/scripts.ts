import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../src/platform/clock.ts';
import { hello } from './conversation.ts';
import type { Act, Moment, Script, Stage } from './script.ts';

const MINUTE = 60_000;
const LONG_LINE = 1024 * 1024;

/** Takes everything over TLS. */
export const ok: Script = {};

/** Does this at one stage, and the usual at all others. */
export function at(stage: Stage, act: Act): Script {
  return { act: (moment) => (moment.stage === stage ? act : undefined) };
}

/** Says this at one stage: `450 4.2.0 later`. */
export function replyAt(stage: Stage, reply: string): Script {
  return at(stage, { say: `${reply}\r\n` });
}

/** Breaks off at a stage without a word. */
export function dropBefore(stage: Stage, then: 'close' | 'reset' = 'close'): Script {
  return at(stage, { then });
}

/** Breaks off at a stage right after the usual reply to it. */
export function dropAfter(stage: Stage, then: 'close' | 'reset' = 'close'): Script {
  const says: Partial<Record<Stage, string>> = {
    banner: '220 mx ESMTP\r\n',
    ehlo: hello('mx', ['STARTTLS']),
    'secured ehlo': hello('mx', ['PIPELINING']),
    starttls: '220 2.0.0 go ahead\r\n',
    data: '354 go on\r\n',
  };
  return at(stage, { say: says[stage] ?? '250 2.0.0 ok\r\n', then });
}

/** Says nothing from a stage on and keeps the connection: at the banner, a black hole. */
export function silenceAt(stage: Stage): Script {
  return at(stage, { then: 'silence' });
}

/** Puts every pair of sender domain and recipient off until these minutes have gone by. */
export function greylist(clock: Clock, minutes: number): Script {
  const first = new Map<string, number>();
  return {
    act({ stage, line, from }) {
      if (stage !== 'rcpt') return undefined;
      const pair = `${from.split('@')[1]} ${line}`;
      const since = first.get(pair) ?? clock.now().getTime();
      first.set(pair, since);
      if (clock.now().getTime() - since >= minutes * MINUTE) return undefined;
      return { say: '450 4.2.0 greylisted, come back later\r\n' };
    },
  };
}

/** Takes so many messages over a connection, and then says 421 and closes it. */
export function throttlePerConnection(most: number): Script {
  return {
    act({ stage, messages }) {
      if (stage === 'mail' && messages >= most) return { say: '421 4.7.0 too many here\r\n', then: 'close' };
      return undefined;
    },
  };
}

/** Takes so many messages a minute over all connections, and puts the others off. */
export function throttlePerMinute(clock: Clock, most: number): Script {
  let minute = 0;
  let taken = 0;
  return {
    act({ stage }) {
      if (stage !== 'mail') return undefined;
      const now = Math.floor(clock.now().getTime() / MINUTE);
      if (now !== minute) [minute, taken] = [now, 0];
      taken += 1;
      return taken > most ? { say: '452 4.3.2 slow down\r\n' } : undefined;
    },
  };
}

/** Does not speak SMTP at all. */
export const garbageBanner = at('banner', { say: '\u0000\u0001\u00ffHTTP/1.1 200 OK\r\n\r\n<html>\r\n' });

/** Answers with a line of a megabyte. */
export function longLineAt(stage: Stage): Script {
  return at(stage, { say: `250 ${'x'.repeat(LONG_LINE)}\r\n` });
}

function* endlessLines() {
  for (;;) yield '250-and more\r\n'.repeat(50);
}

/** Answers with lines that never come to an end. */
export function endlessReplyAt(stage: Stage): Script {
  return { act: (moment) => (moment.stage === stage ? { say: endlessLines() } : undefined) };
}

/** Sends its reply a byte at a time; with a stage's patience shorter than that, it never gets there. */
export function slowBytesAt(stage: Stage, reply: string, msPerByte: number): Script {
  async function* bytes() {
    for (const byte of `${reply}\r\n`) {
      yield byte;
      await pause(msPerByte, undefined, { ref: false });
    }
  }
  return { act: (moment) => (moment.stage === stage ? { say: bytes() } : undefined) };
}

/** Ends its own side of the connection after its reply and goes on reading. */
export function halfCloseAt(stage: Stage): Script {
  return at(stage, { say: stage === 'data' ? '354 go on\r\n' : '250 2.0.0 ok\r\n', then: 'half-close' });
}

/** Asks for the content and does not read it. */
export const neverReads = at('data', { say: '354 go on\r\n', then: 'stop reading' });

/** Answers each recipient by what its local part begins with: `gone-…` 550, `full-…` 452, others are taken. */
export const judgesRecipients: Script = {
  act({ stage, line }) {
    if (stage !== 'rcpt') return undefined;
    if (/<gone-/i.test(line)) return { say: '550 5.1.1 no such user\r\n' };
    if (/<full-/i.test(line)) return { say: '452 4.2.2 mailbox full\r\n' };
    return undefined;
  },
};

/** Takes so many recipients in one message, and asks for the others in another (RFC 5321 4.5.3.1.10). */
export function mostRecipients(most: number): Script {
  return {
    act: ({ stage, recipients }) =>
      stage === 'rcpt' && recipients.length >= most ? { say: '452 4.5.3 too many recipients\r\n' } : undefined,
  };
}

/** Announces a size and refuses what is larger, by its announcement or by its bytes (RFC 1870). */
export function smallSize(most: number): Script {
  const refusal: Act = { say: '552 5.3.4 too large\r\n' };
  return {
    offersSecured: ['PIPELINING', `SIZE ${most}`],
    act({ stage, line, mime }) {
      if (stage === 'mail' && Number(/ SIZE=(\d+)/i.exec(line)?.[1] ?? 0) > most) return refusal;
      return stage === 'dot' && mime.length > most ? refusal : undefined;
    },
  };
}

/** Hangs up on whoever sends a command before the last one was answered. */
export const noPipelining: Script = {
  offers: ['STARTTLS'],
  offersSecured: ['SIZE 26214400'],
  act: hangUpOnPipelining,
};

/** Knows no SMTPUTF8, and no address beyond ASCII. */
export const noSmtpUtf8: Script = {
  offersSecured: ['PIPELINING', '8BITMIME'],
  act({ stage, line }) {
    if (stage === 'mail' && / SMTPUTF8/i.test(line)) return { say: '555 5.5.4 unknown parameter\r\n' };
    const foreign = (stage === 'mail' || stage === 'rcpt') && /[\x80-\xff]/.test(line);
    return foreign ? { say: '553 5.6.7 not an address\r\n' } : undefined;
  },
};

/** Lists in clear what it does not know under TLS (RFC 3207 4.2: a client forgets what it heard before). */
export const boastsInClear: Script = {
  offers: ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'SIZE 26214400', 'STARTTLS'],
  offersSecured: [],
  act(moment) {
    if (moment.stage === 'mail' && / (SIZE|BODY|SMTPUTF8)\b/i.test(moment.line)) {
      return { say: '555 5.5.4 unknown parameter\r\n' };
    }
    return hangUpOnPipelining(moment);
  },
};

/** Lists in clear less than it knows under TLS, and a size that nothing fits into. */
export const modestInClear: Script = { offers: ['SIZE 1', 'STARTTLS'] };

function hangUpOnPipelining({ stage, secured, pipelined }: Moment): Act | undefined {
  const hangsUp = secured && pipelined && stage !== 'dot' && stage !== 'quit';
  return hangsUp ? { say: '503 5.5.1 wait for your turn\r\n', then: 'close' } : undefined;
}
