import type { Clock } from '../../src/platform/clock.ts';
import type { Fleet } from './fleet.ts';
import { type Script, STAGES } from './script.ts';
import * as scripts from './scripts.ts';
import * as tlsScripts from './tls-scripts.ts';

/**
 * How a message to a peer must end. `tried out` has been tried for days, and `uncertain` as well, while nobody knew
 * whether it had arrived; `no TLS` bounces with 5.7.10; a `noticed` recipient finds the content at the pickup page.
 */
export type Ending = 'delivered' | 'refused' | 'tried out' | 'no TLS' | 'noticed' | 'uncertain';

export interface Character {
  /** Its domain is made of this. */
  name: string;
  script: Script;
  ending: Ending;
}

/** Where a 4xx or a broken connection comes, and what it comes to when it never stops. */
function endingAt(stage: (typeof STAGES)[number]): Ending {
  return stage === 'starttls' ? 'no TLS' : 'tried out';
}

/** Peers that do the same at each stage. */
const AT_EACH_STAGE = STAGES.flatMap((stage): Character[] => {
  const name = stage.replace(' ', '-');
  const isTalk = ['mail', 'rcpt', 'data', 'dot'].includes(stage);
  const unanswered: Ending = stage === 'dot' ? 'uncertain' : 'tried out';
  const afterwards: Record<string, Ending> = { dot: 'delivered', data: 'uncertain', starttls: 'no TLS' };
  return [
    { name: `later-at-${name}`, script: scripts.replyAt(stage, '451 4.3.0 later'), ending: endingAt(stage) },
    { name: `closing-at-${name}`, script: scripts.replyAt(stage, '421 4.3.2 closing'), ending: endingAt(stage) },
    {
      name: `never-at-${name}`,
      script: scripts.replyAt(stage, '554 5.7.1 never'),
      ending: isTalk ? 'refused' : endingAt(stage),
    },
    { name: `closes-before-${name}`, script: scripts.dropBefore(stage), ending: unanswered },
    { name: `resets-before-${name}`, script: scripts.dropBefore(stage, 'reset'), ending: unanswered },
    { name: `closes-after-${name}`, script: scripts.dropAfter(stage), ending: afterwards[stage] ?? 'tried out' },
    { name: `silent-at-${name}`, script: scripts.silenceAt(stage), ending: unanswered },
  ];
});

/** All that a month of mail meets. */
export function charactersOf(clock: Clock): Character[] {
  return [
    ...AT_EACH_STAGE,
    { name: 'ok', script: scripts.ok, ending: 'delivered' },
    { name: 'greylist', script: scripts.greylist(clock, 5), ending: 'delivered' },
    { name: 'few-a-connection', script: scripts.throttlePerConnection(1), ending: 'delivered' },
    { name: 'few-a-minute', script: scripts.throttlePerMinute(clock, 1), ending: 'delivered' },
    { name: 'one-recipient', script: scripts.mostRecipients(1), ending: 'delivered' },
    { name: 'no-pipelining', script: scripts.noPipelining, ending: 'delivered' },
    { name: 'no-smtputf8', script: scripts.noSmtpUtf8, ending: 'delivered' },
    { name: 'boasts', script: scripts.boastsInClear, ending: 'delivered' },
    { name: 'modest', script: scripts.modestInClear, ending: 'delivered' },
    { name: 'small', script: scripts.smallSize(100), ending: 'refused' },
    { name: 'garbage', script: scripts.garbageBanner, ending: 'tried out' },
    { name: 'long-banner', script: scripts.longLineAt('banner'), ending: 'tried out' },
    { name: 'long-answer', script: scripts.longLineAt('rcpt'), ending: 'tried out' },
    { name: 'long-end', script: scripts.longLineAt('dot'), ending: 'uncertain' },
    { name: 'endless-ehlo', script: scripts.endlessReplyAt('ehlo'), ending: 'tried out' },
    { name: 'endless-mail', script: scripts.endlessReplyAt('mail'), ending: 'tried out' },
    { name: 'slow', script: scripts.slowBytesAt('banner', '220 mx ESMTP', 1_000), ending: 'tried out' },
    { name: 'half-closed', script: scripts.halfCloseAt('rcpt'), ending: 'tried out' },
    { name: 'never-reads', script: scripts.neverReads, ending: 'uncertain' },
    { name: 'no-starttls', script: tlsScripts.noStartTls, ending: 'no TLS' },
    { name: 'stripped-454', script: tlsScripts.strippedStartTls('454 4.7.0 not available'), ending: 'no TLS' },
    { name: 'stripped-500', script: tlsScripts.strippedStartTls('500 5.5.1 unknown command'), ending: 'no TLS' },
    { name: 'injected', script: tlsScripts.injectedBehindStartTls, ending: 'no TLS' },
    { name: 'goes-on-in-clear', script: tlsScripts.clearBehindStartTls, ending: 'tried out' },
    { name: 'silent-handshake', script: tlsScripts.silentHandshake, ending: 'tried out' },
    { name: 'broken-handshake', script: tlsScripts.brokenHandshake, ending: 'no TLS' },
    { name: 'tls-1-0', script: tlsScripts.oldTls('TLSv1'), ending: 'no TLS' },
    { name: 'tls-1-1', script: tlsScripts.oldTls('TLSv1.1'), ending: 'no TLS' },
    { name: 'cbc', script: tlsScripts.weakCipher('ECDHE-ECDSA-AES128-SHA'), ending: 'no TLS' },
    { name: 'null-cipher', script: tlsScripts.weakCipher('ECDHE-ECDSA-NULL-SHA'), ending: 'no TLS' },
    { name: 'anonymous', script: tlsScripts.weakCipher('AECDH-AES128-SHA'), ending: 'no TLS' },
    { name: 'expired', script: tlsScripts.expired, ending: 'noticed' },
    { name: 'wrong-name', script: tlsScripts.wrongName, ending: 'noticed' },
    { name: 'self-signed', script: tlsScripts.selfSigned, ending: 'noticed' },
    { name: 'unknown-authority', script: tlsScripts.unknownAuthority, ending: 'noticed' },
  ];
}

/** Puts them all on the map, each under a domain of its own. */
export async function populate(fleet: Fleet, characters: Character[]): Promise<void> {
  for (const { name, script } of characters) await fleet.add(`${name}.example`, script);
}
