import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { despiteOutage } from '../../platform/db/despite-outage.ts';
import { createGroupCommit } from '../../platform/db/group-commit.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { createEncryptedIsEnough } from '../domains/encrypted-is-enough.ts';
import type { ReturnPathDomainOf } from '../domains/return-path.ts';
import type { SignerFor } from '../domains/signers.ts';
import type { WarmUp } from '../domains/warm-up.ts';
import { createNotices } from '../pickup/notices.ts';
import { createKeepLinks } from '../tracking/links.ts';
import type { LinkTokens } from '../tracking/token.ts';
import { PATIENCE, type Patience } from './dialogue/connect.ts';
import { createCourier, Stopping } from './dialogue/courier.ts';
import { createHandOver, type HandOver } from './hand-over.ts';
import type { FindDestination } from './onward/destination.ts';
import { tellOutcomes } from './outcome/tell-outcomes.ts';
import { createDispatch, type Dispatch } from './queue/dispatch.ts';
import { type Fullness, NEVER_FULL } from './queue/feed.ts';
import { createPutOff } from './queue/put-off.ts';
import { type Settlement, settle } from './queue/settle.ts';
import { createByteRoom } from './writing/byte-room.ts';
import { isAskedFor } from './writing/load.ts';
import { MailRooms } from './writing/mail-room.ts';
import { prepareMessage } from './writing/prepare.ts';

const MOST_UNDER_WAY = 512;
/** What is settled together costs a tenth of what is settled one by one; what a crash makes uncertain grows by as much. */
const GATHER_MS = 40;
const MOST_BYTES = 320 * 2 ** 20;

/** Where mail goes, and how much of it at once. */
export interface Way {
  find: FindDestination;
  /** Called when content has gone to a server of a domain that was verified. */
  onVerified(domain: string): void;
  fullness?: Fullness;
  /** What new domains may send; null where nobody has to get to know them. */
  warmUp: WarmUp | null;
  /** Turns away whoever waits for a server. */
  halt(reason: Error): void;
  close(): void;
}

export interface EngineDeps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  tokens: LinkTokens;
  publicUrl: string;
  signerFor: SignerFor;
  returnPathDomainOf: ReturnPathDomainOf;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  patience?: Patience;
  onSettled?(hasRoom: boolean): void;
  /** Told that there is news for somebody's endpoints. */
  onTold?(): void;
}

/** All that delivers mail, to be driven by a lane or by hand. */
export interface Engine extends Dispatch {
  handOver: HandOver;
  /** Breaks off whatever is being said to a server. */
  end(): void;
}

/** Builds delivery: what live keys send goes one way, what test keys send goes to the sandbox. */
export function createEngine(deps: EngineDeps, ways: Record<'live' | 'test', Way>): Engine {
  const { warmUp } = ways.live;
  const { clock, patience = PATIENCE, onSettled = () => {}, onTold = () => {} } = deps;
  const stopping = new AbortController();
  const ending = new AbortController();
  const signals = { stopping: stopping.signal, ending: ending.signal };
  const courierOn = ({ find, onVerified }: Way) => createCourier({ find, onVerified, patience, clock, ...signals });
  const couriers = { live: courierOn(ways.live), test: courierOn(ways.test) };
  const encryptedIsEnough = createEncryptedIsEnough(deps);
  const writing = {
    ...deps,
    keepLinks: createKeepLinks(deps),
    notices: createNotices(deps),
    mailRooms: new MailRooms(),
    rooms: { small: createByteRoom(MOST_BYTES), large: createByteRoom(MOST_BYTES) },
  };
  const write = createGroupCommit<Settlement[], void>({
    commit: async (batches) => {
      const { told } = await settle(deps, batches.flat());
      if (told) onTold();
      tellOutcomes(deps, batches.flat());
      return batches.map(() => undefined);
    },
    sizeOf: (batch) => batch.length,
    gatherMs: GATHER_MS,
  });
  const dispatch = createDispatch({
    ...deps,
    mostUnderWay: MOST_UNDER_WAY,
    prepare: (stored) => prepareMessage(writing, stored),
    isAskedFor: (stored) => isAskedFor(deps.vault, stored),
    courierFor: (mode) => couriers[mode],
    putOff: warmUp === null ? async (pairs) => pairs : createPutOff({ ...deps, warmUp }),
    encryptedIsEnough,
    fullness: ways.live.fullness ?? NEVER_FULL,
    settle: (settlements) => despiteOutage(() => write(settlements)),
    onSettled,
  });
  return {
    ...dispatch,
    handOver: createHandOver({ couriers, encryptedIsEnough, clock }),
    halt() {
      stopping.abort();
      dispatch.halt();
      for (const way of [ways.live, ways.test]) way.halt(new Stopping('the product is stopping'));
    },
    end: () => ending.abort(),
  };
}
