import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { canonicalUuid, isUuid } from '../../../platform/ids.ts';
import { download } from '../../api/submission-files.ts';
import { readSmallForm } from '../../drafts/page/read-small-form.ts';
import { signatureProblems } from '../../page/signature-problems.ts';
import type { ShownSignature } from '../../page/view.ts';
import { pickLanguage } from '../../page/words/pick-language.ts';
import { SPOKEN, wordsOf } from '../../page/words/words-of.ts';
import { type GivenSignature, readSignature } from '../../submissions/signature.ts';
import { readFileToSign } from '../read-signed.ts';
import { isPass } from '../session.ts';
import { decline, sign } from '../settle.ts';
import { signingWordsOf } from '../words/signing-words.ts';
import { readSigning } from './read-signing.ts';
import { consentOf, showToSign, versionOf } from './show-to-sign.ts';
import { languageOf, type SignerVisit, type SigningDeps, sendEntrance, sendGone } from './visit.ts';

/** Takes the signature, or that somebody declines, and leads to where that is said. */
export async function answer(deps: SigningDeps, visit: SignerVisit): Promise<FastifyReply> {
  const { signer, base, request, reply } = visit;
  const { given, pass, declines, ...posted } = await readSigning(request);
  if (!isPass(deps, signer, pass)) return sendAway(deps, visit);
  if (declines) {
    await decline(deps, signer, request.id);
    return reply.redirect(base, 303);
  }
  const language = pickLanguage(SPOKEN, request.headers['accept-language'], posted.language);
  const problems = signatureProblems(given, wordsOf(language));
  if (problems.length > 0)
    return showToSign(deps, visit, { language, given: showable(given, language, problems), problems });
  const version = await versionOf(deps, signer);
  const signature = readSignature(given) as GivenSignature;
  await sign(deps, signer, { signature, consentText: consentOf(version, signer, language), version }, request.id);
  return reply.redirect(base, 303);
}

/** Hands out a file of what is to be signed. */
export async function openFile(deps: SigningDeps, visit: SignerVisit): Promise<FastifyReply> {
  const { signer, request, reply } = visit;
  const { _pass: pass } = await readSmallForm(request);
  if (typeof pass !== 'string' || !isPass(deps, signer, pass)) return sendAway(deps, visit);
  const { file: wanted } = request.params as { file: string };
  const file = await readFileToSign(deps, signer, isUuid(wanted) ? canonicalUuid(wanted) : '', request.id);
  if (file === null) return sendGone(visit);
  const body = Readable.from(deps.blobs.read(signer.customerId, file.id));
  const { headers } = download(file.type, file.name, body, 'attachment');
  return reply.headers({ ...headers, 'content-length': String(file.size) }).send(body);
}

/** A picture that is none is not shown again. */
function showable(given: ShownSignature | null, language: string, problems: string[]): ShownSignature | null {
  if (given === null || !problems.includes(wordsOf(language).say('signPictureWanted'))) return given;
  return { ...given, image: null };
}

function sendAway(deps: SigningDeps, visit: SignerVisit): Promise<FastifyReply> {
  return sendEntrance(deps, visit, 403, signingWordsOf(languageOf(visit)).say('awayTooLong'));
}
