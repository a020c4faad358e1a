import { randomBytes } from 'node:crypto';
import {
  type EncodedTemplate,
  encodePiece,
  encodeTexts,
  headerLine,
  parseTemplate,
  renderTemplate,
  textHeaderLine,
} from '../../../email/index.ts';
import type { PreparedContent } from './prepare-content.ts';
import { LINKS, PIXEL, UNSUBSCRIBE_URL } from './reserved-names.ts';
import { withLinkVariables, withPixel } from './track-links.ts';

/** What only the sender knows of one reader's mail. */
export interface OwnParts {
  /** The tracked links, by the numbers of their targets. */
  links: readonly string[];
  pixel: string | null;
  unsubscribeUrl: string;
  /** Well-formed headers beside those of the content: From, To, Date and the like. */
  headers: readonly (readonly [name: string, value: string])[];
}

/** One reader's mail, to be written with an empty line between its headers and its body; all of the body is ASCII. */
export interface PersonalMail {
  headers: string;
  body: string;
}

/** A mailing of which only the values of each reader are left to be written. */
export interface CompiledMailing {
  /** Where the tracked links lead, by their numbers. */
  targets: string[];
  personalise(person: Record<string, unknown>, own: OwnParts): PersonalMail;
}

/** Writes everything of a mailing that is the same for every reader. */
export function compileMailing(
  content: PreparedContent,
  { trackLinks, trackOpens }: { trackLinks: boolean; trackOpens: boolean },
): CompiledMailing {
  const { html, targets } = trackLinks ? withLinkVariables(content.html) : { html: content.html, targets: [] };
  const htmlPart = encodedPart(trackOpens ? withPixel(html) : html, 'html');
  const textPart = encodedPart(content.text, 'text');
  const subjectLine = compileSubject(content.subject);
  // RFC 2045 6.7: `=_` occurs in no quoted-printable text.
  const boundary = `=_${randomBytes(15).toString('base64url')}`;
  const typeLines = `MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="${boundary}"\r\n`;
  const [beforeText, beforeHtml] = [opening(boundary, 'plain'), `\r\n${opening(boundary, 'html')}`];
  const end = `\r\n--${boundary}--\r\n`;
  return {
    targets,
    personalise(person, own) {
      const names = { [LINKS]: own.links, [PIXEL]: own.pixel, [UNSUBSCRIBE_URL]: own.unsubscribeUrl };
      const variables = { ...person, ...names };
      const given = own.headers.map(([name, value]) => headerLine(name, value)).join('');
      const text = renderTemplate(textPart, variables).text;
      const body = beforeText + text + beforeHtml + renderTemplate(htmlPart, variables).text + end;
      return { headers: given + subjectLine(variables) + typeLines, body };
    },
  };
}

function encodedPart(source: string, kind: 'html' | 'text'): EncodedTemplate {
  return encodeTexts(parseTemplate(source, kind), encodePiece);
}

function compileSubject(source: string): (variables: Record<string, unknown>) => string {
  const template = parseTemplate(source, 'header');
  const lineOf = (variables: Record<string, unknown>) =>
    textHeaderLine('Subject', renderTemplate(template, variables).text);
  if (template.nodes.some(({ kind }) => kind !== 'text')) return lineOf;
  const line = lineOf({});
  return () => line;
}

function opening(boundary: string, type: 'plain' | 'html'): string {
  return `--${boundary}\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
}
