import {
  type BounceServer,
  type BouncesDeps,
  messageBounces,
  type SubmissionDeps,
  type SubmissionServer,
  startBounces,
  startSubmission,
} from './email/index.ts';
import type { Installation } from './installation.ts';
import { mailingBounces } from './marketing/index.ts';

/** What both doors need from the rest of the product. */
type Deps = Omit<SubmissionDeps, 'host' | 'port' | 'tlsPort' | 'name' | 'clock' | 'log'> &
  Pick<BouncesDeps, 'tokens' | 'ownNames'>;

export interface SmtpDoors {
  submission: SubmissionServer;
  /** The door for returned mail, where the settings open it. */
  bounces: BounceServer | undefined;
  stop(): Promise<void>;
}

/** Opens the doors for mail that is handed in and for mail that is returned. */
export async function openSmtpDoors(installation: Installation, deps: Deps): Promise<SmtpDoors> {
  const { config, db, vault, clock, log } = installation;
  const { smtp, heloName: name, bouncePort, returnPathDomain } = config;
  const door = { ...deps, ...smtp, name, clock, log };
  const submission = await startSubmission(door);
  if (bouncePort === null) return { submission, bounces: undefined, stop: submission.stop };
  const handlers = { ...messageBounces({ db, vault, clock }), ...mailingBounces({ db, vault, clock }) };
  const bounces = await startBounces({ ...door, db, handlers, port: bouncePort, returnPathDomain });
  return {
    submission,
    bounces,
    async stop() {
      await bounces.stop();
      await submission.stop();
    },
  };
}
