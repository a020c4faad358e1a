import { connectSecurely, type Patience, type SecureChannel, type Target } from '../dialogue/connect.ts';
import { PeerFailure } from '../dialogue/smtp-replies.ts';
import { Site } from '../sites/site.ts';
import type { Judgement } from '../tls/judge.ts';
import type { Destination, Reached } from './destination.ts';

/** What is done with a new channel before it is used, such as to sign in. */
type Prepare = (channel: SecureChannel) => Promise<void>;

/** One server that gets everything: the sandbox, or the next hop. Its certificate must be good, whatever is sent. */
export function createFixedDestination(
  target: Target,
  patience: Patience,
  atOnce: number,
  prepare: Prepare = async () => {},
): Destination {
  const site = new Site({ first: atOnce, most: atOnce });
  return {
    site,
    judge,
    async connect(ending): Promise<Reached> {
      const channel = await connectSecurely(target, patience, ending);
      const judgement = judge(channel);
      try {
        if (!judgement.verified) throw new PeerFailure('tls failed', judgement.reason ?? '');
        await prepare(channel);
      } catch (error) {
        channel.close();
        throw error;
      }
      return { channel, judgement };
    },
  };
}

function judge({ facts: { certificate } }: SecureChannel): Judgement {
  const verified = certificate.chainTrusted && certificate.namesHost;
  return {
    verified,
    policy: verified ? 'pkix' : 'none',
    basis: null,
    reason: verified ? null : 'the certificate of the next hop does not verify',
    mayNotice: verified,
    mayWaive: false,
  };
}
