import type { SecureChannel } from '../dialogue/connect.ts';
import type { Site } from '../sites/site.ts';
import type { Judgement } from '../tls/judge.ts';

/** A channel and what is held of its peer. */
export interface Reached {
  channel: SecureChannel;
  judgement: Judgement;
}

/** Where the mail of a domain goes. */
export interface Destination {
  site: Site;
  /** What is held of a channel to that site when it is used for this domain. */
  judge(channel: SecureChannel): Judgement;
  /** Connects to the best of its servers, or throws PeerFailure. */
  connect(ending?: AbortSignal): Promise<Reached>;
}

/** Why a domain gets no mail at all: what a server would have said. */
export interface NoDestination {
  code: number;
  reply: string;
}

/** Finds where the mail of a domain goes; throws where that cannot be found out now. */
export type FindDestination = (domain: string) => Promise<Destination | NoDestination>;

export function isDestination(found: Destination | NoDestination): found is Destination {
  return 'site' in found;
}
