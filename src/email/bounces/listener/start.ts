import type { Log } from '../../../platform/log.ts';
import type { LiveCertificate } from '../../../platform/net/live-certificate.ts';
import { openDoors } from '../../smtp-server/listen.ts';
import type { Pace } from '../../smtp-server/patience.ts';
import { Room } from '../../smtp-server/room.ts';
import type { LinkTokens } from '../../tracking/token.ts';
import { type BounceHandlers, newsIn } from '../news.ts';
import { readReport } from '../report/read-report.ts';
import { takeMailedTlsReport } from '../tls-reports/mailed.ts';
import type { KeepDeps } from '../tls-reports/store.ts';
import { type ReturnedMail, ReturnSession } from './session.ts';

const MOST_CONNECTIONS = 100;
const MOST_PER_NETWORK = 20;
const MEMORY_FOR_REPORTS = 128 * 2 ** 20;
const PACE: Pace = { commandMs: 30_000, dataMs: 30_000, lingerMs: 2_000, sessionMs: 600_000 };

export interface BouncesDeps extends KeepDeps {
  tokens: LinkTokens;
  handlers: BounceHandlers;
  certificate: LiveCertificate;
  host: string;
  /** 0 for any that is free. */
  port: number;
  /** What the server calls itself. */
  name: string;
  returnPathDomain: string | null;
  pseudonymOf(address: string): string;
  log: Log;
  /** What a test may move: how long clients may take. */
  pace?: Partial<Pace>;
}

export interface BounceServer {
  port: number;
  /** Ends the connections; mail under way is answered first. */
  stop(): Promise<void>;
}

/** Opens the door for returned mail: reports on mail that left here, and complaints about it. */
export async function startBounces(deps: BouncesDeps): Promise<BounceServer> {
  const room = new Room(MEMORY_FOR_REPORTS);
  const take = (returned: ReturnedMail) => takeReturned(deps, returned);
  const { ports, stop } = await openDoors({
    ...deps,
    doors: [{ port: deps.port, secure: false }],
    mostConnections: MOST_CONNECTIONS,
    mostPerNetwork: MOST_PER_NETWORK,
    pace: { ...PACE, ...deps.pace },
    converse: (wire) => new ReturnSession({ ...deps, room, take }, wire),
  });
  return { port: ports[0] as number, stop };
}

/** Takes a mail once for each of its destinations, however often it names them. */
async function takeReturned(deps: BouncesDeps, { destinations, fromNobody, mime }: ReturnedMail): Promise<void> {
  const has = (kind: string) => destinations.some((destination) => destination.kind === kind);
  if (has('postmaster')) deps.log.info('mail to postmaster was dropped');
  if (has('tls-reports')) await takeMailedTlsReport(deps, mime);
  const returning = new Map(destinations.flatMap((each) => ('id' in each ? [[`${each.kind} ${each.id}`, each]] : [])));
  if (returning.size === 0) return;
  const report = readReport(mime);
  const news = newsIn(report, fromNobody);
  for (const { kind, id } of returning.values()) {
    deps.log.info({ messageId: id, report: report.kind, news: news.length }, 'mail came back');
    if (news.length > 0) await deps.handlers[kind](id, news);
  }
}
