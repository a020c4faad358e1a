import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { sendBytes } from '../../platform/http/bytes.ts';
import { contentDisposition } from '../../platform/http/pages/content-disposition.ts';
import { readCode } from '../../platform/one-time-codes/read-code.ts';
import { CODE_DIGITS } from '../../platform/one-time-codes/rules.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { AcceptMessages } from '../submission/accept.ts';
import { awaitsCode, checkCode, sendCode } from './codes.ts';
import { readSessionCookie, sessionCookie } from './cookie.ts';
import type { Pickup } from './find-pickup.ts';
import { openFile } from './letter-files.ts';
import { openLetter } from './open-letter.ts';
import { refusedPage, repliedPage, replyRefusedPage, sessionOverPage, unknownPage } from './page/answers.ts';
import { entrancePage } from './page/entrance.ts';
import { letterPage } from './page/letter.ts';
import { type Page, sendPickupPage } from './page/shell.ts';
import { readReply } from './read-forms.ts';
import { sendReply } from './replies.ts';
import { DAY_MS, HOUR_MS, REPLIES_A_DAY } from './rules.ts';
import { inSession } from './sessions.ts';

export interface VisitDeps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
  acceptMessages: AcceptMessages;
  systemFrom: string;
  publicUrl: string;
}

/** Somebody who came by a link that leads somewhere. */
export interface Visit {
  token: string;
  pickup: Pickup;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Shows the message to whoever has a session, and the way in to everybody else. */
export async function enter(deps: VisitDeps, visit: Visit): Promise<FastifyReply> {
  const { token, pickup, request } = visit;
  if (request.method === 'GET' && (await hasSession(deps, visit))) {
    return send(visit, 200, letterPage(token, await openLetter(deps, pickup, request.id)));
  }
  return send(visit, 200, entrancePage({ token, pickup, awaited: await awaitsCode(deps, pickup) }));
}

/** Mails a code, and leads back to where it is entered. */
export async function mailCode(deps: VisitDeps, visit: Visit): Promise<FastifyReply> {
  const { token, pickup, request } = visit;
  if (await sendCode(deps, pickup, request.id)) return seeOther(visit, '');
  const problem = 'Too many codes were sent for this message. Please try again in an hour, or tomorrow.';
  visit.reply.header('retry-after', HOUR_MS / 1_000);
  return send(visit, 429, entrancePage({ token, pickup, awaited: await awaitsCode(deps, pickup), problem }));
}

/** Begins a session for whoever knows the code. */
export async function takeCode(deps: VisitDeps, visit: Visit): Promise<FastifyReply> {
  const { token, pickup, request, reply } = visit;
  const turnAway = async (status: number, problem: string) =>
    send(visit, status, entrancePage({ token, pickup, awaited: await awaitsCode(deps, pickup), problem }));
  const code = readCode(request.body);
  if (code === null) return turnAway(400, `The code has ${CODE_DIGITS} digits.`);
  const verdict = await checkCode(deps, pickup, code, request.id);
  if ('session' in verdict) {
    reply.header('set-cookie', sessionCookie(deps.publicUrl, token, verdict.session));
    return seeOther(visit, '');
  }
  const { triesLeft } = verdict;
  if (triesLeft === 0) return turnAway(403, 'This code is not valid, or no longer. Please ask for another one.');
  return turnAway(403, `This is not the code of the last mail. Tries left: ${triesLeft}.`);
}

/** Hands out an attachment, to be saved and not shown. */
export async function download(deps: VisitDeps, visit: Visit): Promise<FastifyReply> {
  if (!(await hasSession(deps, visit))) return askAgain(visit);
  const { place } = visit.request.params as { place: string };
  const file = /^\d{1,3}$/.test(place) ? await openFile(deps, visit.pickup, Number(place), visit.request.id) : null;
  if (file === null) return send(visit, 404, unknownPage);
  const headers = {
    'content-type': file.contentType,
    'content-length': String(file.size),
    'content-disposition': contentDisposition(file.fileName, 'attachment'),
    'content-security-policy': "default-src 'none'; sandbox",
  };
  return sendBytes(visit.reply, { status: 200, headers, body: file.body });
}

/** Sends what a recipient has written. */
export async function takeReply(deps: VisitDeps, visit: Visit): Promise<FastifyReply> {
  const { token, pickup, request } = visit;
  if (!(await hasSession(deps, visit))) return askAgain(visit);
  const read = readReply(request.body);
  if ('problem' in read) return send(visit, 400, replyRefusedPage(token, read.problem));
  const verdict = await sendReply(deps, pickup, read.text, request.id);
  if (verdict === 'sent') return seeOther(visit, '/replied');
  if (verdict === 'not taken') return send(visit, 403, refusedPage('The sender takes no replies at present'));
  visit.reply.header('retry-after', DAY_MS / 1_000);
  return send(visit, 429, replyRefusedPage(token, `You have sent ${REPLIES_A_DAY} replies today.`));
}

/** Says that a reply was sent. */
export async function confirm(deps: VisitDeps, visit: Visit): Promise<FastifyReply> {
  return (await hasSession(deps, visit)) ? send(visit, 200, repliedPage(visit.token)) : askAgain(visit);
}

function hasSession(deps: VisitDeps, { pickup, request }: Visit): Promise<boolean> {
  return inSession(deps, pickup, readSessionCookie(request.headers.cookie));
}

function askAgain(visit: Visit): FastifyReply {
  return send(visit, 403, sessionOverPage(visit.token));
}

function send({ reply }: Visit, status: number, page: Page): FastifyReply {
  return sendPickupPage(reply.code(status), page);
}

/** Leads on with a GET, so that going back or reloading sends nothing twice. */
function seeOther({ token, reply }: Visit, path: string): FastifyReply {
  return reply.redirect(`/pickup/${token}${path}`, 303);
}
