import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { INSTALLATION } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Dial } from '../../platform/net/dial.ts';
import { DialFailed } from '../../platform/net/dial-failed.ts';
import { stuffDots } from '../delivery/dialogue/dots.ts';
import type { HandOver } from '../delivery/hand-over.ts';
import type { SignerFor } from '../domains/signers.ts';
import { domainOf } from '../submission/address.ts';
import { type DueReport, noteTarget, planReports, putOff, readCounts, settleReport, takeDue } from './due-reports.ts';
import { mailReport } from './mail.ts';
import { writeReport } from './report.ts';
import { nameOf, type ReportTarget, readReportTargets } from './report-targets.ts';

const AT_ONCE = 20;
const POST_MS = 20_000;
/** Two of them are far below the lease on a report. */
const MAIL_MS = 60_000;
/** After this a run leaves what else is due to the next one. */
const RUN_MS = 5 * 60_000;
const GIVE_UP_AFTER_MS = 24 * 3600_000; // RFC 8460 5.5

const pack = promisify(gzip);

/** Looks up TXT records; throws where there is no answer. */
export interface TxtLookup {
  txt(name: string): Promise<{ records: string[] }>;
}

interface Deps {
  /** The database as the worker role. */
  db: Database;
  clock: Clock;
  dns: TxtLookup;
  dial: Dial;
  handOver: HandOver;
  signerFor: SignerFor;
  systemFrom: string;
  random?: () => number;
  /** What a test may move: how long a mail may take. */
  mailMs?: number;
}

/** What came of giving a report to a target; `maybe` where only the target knows. */
type Came = 'taken' | 'maybe' | 'not-taken';

/**
 * Sends the reports of the last days to the domains that ask for them: each once, whichever node comes to it, at a random
 * moment of the night's first hours. Run by cron every few minutes.
 */
export async function sendTlsReports(deps: Deps): Promise<void> {
  const endsAt = deps.clock.now().getTime() + RUN_MS;
  await planReports(deps);
  for (let due = await takeDue(deps, AT_ONCE); due.length > 0; due = await takeDue(deps, AT_ONCE)) {
    await Promise.all(due.map((report) => sendReport(deps, report)));
    if (deps.clock.now().getTime() >= endsAt) return;
  }
}

async function sendReport(deps: Deps, report: DueReport): Promise<void> {
  const taken = new Set(report.taken_by);
  const end = () => settleReport(deps, report, taken.size > 0 ? 'sent' : 'given-up');
  if (deps.clock.now().getTime() - report.begin_at.getTime() >= GIVE_UP_AFTER_MS) return end();
  const targets = await lookUp(deps, report.domain);
  if (targets === null) return putOff(deps, report);
  if (targets.length === 0) return settleReport(deps, report, 'not-wanted');
  const tried = new Set([...report.taken_by, ...report.maybe_by]);
  const waiting = targets.filter((target) => !tried.has(nameOf(target)));
  const came = await deliver(deps, report, waiting);
  for (const [at, target] of waiting.entries()) if (came[at] === 'taken') taken.add(nameOf(target));
  return came.includes('not-taken') ? putOff(deps, report) : end();
}

/** Where a domain wants its reports; null where the question has no answer now. */
async function lookUp({ dns }: Deps, domain: string): Promise<ReportTarget[] | null> {
  try {
    return readReportTargets((await dns.txt(`_smtp._tls.${domain}`)).records);
  } catch {
    return null;
  }
}

/** Gives the report to targets, and writes down at once who has it; answers what came of each. */
async function deliver(deps: Deps, report: DueReport, targets: ReportTarget[]): Promise<Came[]> {
  const { domain, day, report_id: reportId } = report;
  const submitter = domainOf(deps.systemFrom);
  const counts = await readCounts(deps, report);
  const text = writeReport({ domain, day, reportId, submitter, contact: deps.systemFrom, counts });
  const packed = await pack(text);
  const results: Came[] = [];
  for (const target of targets) {
    const came =
      target.kind === 'https'
        ? await post(deps, target.url, packed)
        : await mail(deps, report, { to: target.address, submitter, packed });
    if (came !== 'not-taken') await noteTarget(deps, report, nameOf(target), came);
    results.push(came);
  }
  return results;
}

async function post({ dial }: Deps, url: string, packed: Buffer): Promise<Came> {
  try {
    const headers = { 'content-type': 'application/tlsrpt+gzip' };
    const { status } = await dial({ url, headers, body: packed, timeoutMs: POST_MS });
    return status >= 200 && status < 300 ? 'taken' : 'not-taken';
  } catch (error) {
    if (!(error instanceof DialFailed)) throw error;
    return error.reason === 'timeout' || error.reason === 'broken' ? 'maybe' : 'not-taken';
  }
}

/** A report has nothing of health in it, and still leaves over verified TLS only, as everything does. */
async function mail(
  { handOver, signerFor, systemFrom, clock, mailMs = MAIL_MS }: Deps,
  { domain, day, report_id: reportId }: DueReport,
  { to, submitter, packed }: { to: string; submitter: string; packed: Buffer },
): Promise<Came> {
  const signer = await signerFor(INSTALLATION, submitter);
  const facts = { from: systemFrom, to, domain, submitter, day, reportId, at: clock.now(), packed };
  const data = stuffDots(await mailReport(signer, facts));
  const sending = handOver({ customerId: INSTALLATION, mode: 'live', returnPath: systemFrom, recipient: to, data });
  const result = await orLate(sending, mailMs);
  if (result === 'late') return 'maybe';
  return result?.result === 'delivered' || result?.result === 'uncertain' ? 'taken' : 'not-taken';
}

/** What work comes to, or that it takes too long: it may still end well, unseen. */
async function orLate<T>(work: Promise<T>, ms: number): Promise<T | 'late'> {
  const waiting = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => waiting.resolve('late'), ms);
  try {
    return await Promise.race([work, waiting.promise]);
  } finally {
    clearTimeout(timer);
  }
}
