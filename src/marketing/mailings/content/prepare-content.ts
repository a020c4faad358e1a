import {
  findMustaches,
  maskMustaches,
  offsetOf,
  type Position,
  parseTemplate,
  positionOf,
  type Template,
  variablesOf,
} from '../../../email/index.ts';
import { blocksToMjml } from './blocks-to-mjml.ts';
import { checkBlocks } from './check-blocks.ts';
import { inlineStyles } from './inline-styles.ts';
import { ContentMistake, inPart } from './mistake.ts';
import { mjmlPreviews } from './mjml-previews.ts';
import { mjmlToHtml } from './mjml-to-html.ts';
import { findTooDeep } from './nesting.ts';
import { type ClassOf, type PartKind, refusePhi, usesPhi } from './phi-places.ts';
import { addPreheader, hidesBody } from './preheader.ts';
import { readBlocks } from './read-blocks.ts';
import { RESERVED_PREFIX, UNSUBSCRIBE_URL } from './reserved-names.ts';
import { findTags } from './start-tags.ts';
import { textFromHtml } from './text-from-html.ts';
import { addFooterToHtml, addFooterToText, showsWayOut } from './unsubscribe-footer.ts';

/** The body of a mailing in one of three languages. */
export type BodySource = { html: string } | { mjml: string } | { blocks: unknown };

/** The content of a mailing as its author gives it. */
export interface ContentSource {
  body: BodySource;
  subject: string;
  preheader: string | null;
  /** Null where the text is to be made from the HTML. */
  text: string | null;
}

/** The content of a mailing as it is sent: templates that were checked, with the way out in both bodies. */
export interface PreparedContent {
  subject: string;
  preheader: string | null;
  html: string;
  text: string;
}

/** Prepared content, the paths it looks up in a person, and whether its author had left the way out to the product. */
export interface Prepared extends PreparedContent {
  variables: string[];
  wayOutAdded: boolean;
}

type Place = (at: Position) => Position | null;

const LONGEST_SUBJECT = 998; // RFC 5322 2.1.1
const LONGEST_PREHEADER = 500;
const MOST_MUSTACHES = 1_000;

/** Once the source was checked with its own lines, those of what became of it tell nothing. */
const NOWHERE: Place = () => null;

/** Makes of an author's content what every reader can be sent, or throws a ContentMistake. */
export function prepareContent({ body, subject, preheader, text }: ContentSource, classOf: ClassOf): Prepared {
  const line = checkLine('subject', subject, LONGEST_SUBJECT, classOf);
  if (preheader !== null) checkLine('preheader', preheader, LONGEST_PREHEADER, classOf);
  const styled = htmlOf(body, classOf);
  const template = checkBody('html', styled, classOf, NOWHERE);
  const wayOutAdded = !showsWayOut(template);
  const withFooter = wayOutAdded ? addFooterToHtml(styled) : styled;
  const plain = plainText(text === null ? textFromHtml(withFooter) : withUnixLines(text), classOf);
  const shown = preheader ?? (usesPhi(template, classOf) ? '' : null);
  const html = withLineEnd(shown === null ? withFooter : addPreheader(withFooter, shown));
  const final = inPart('html', () => parseTemplate(html, 'html'), NOWHERE);
  if (!showsWayOut(final)) throw new ContentMistake('html', null, 'the body element cannot stand inside a block');
  const variables = namesIn([line, final, plain.template]);
  return { subject, preheader, html, text: plain.text, variables, wayOutAdded };
}

/** Throws a ContentMistake where content that was prepared, maybe of MJML, says what it must not say by now. */
export function checkPrepared(
  { subject, preheader, html, text }: PreparedContent,
  mjml: string | null,
  classOf: ClassOf,
): void {
  checkLine('subject', subject, LONGEST_SUBJECT, classOf);
  if (preheader !== null) checkLine('preheader', preheader, LONGEST_PREHEADER, classOf);
  if (mjml !== null) checkPreviews(mjml, classOf);
  checkBody('html', html, classOf, NOWHERE);
  checkText(text, classOf);
}

/** Prepared content whose body stays out of the preview where it tells of somebody's health by now. */
export function outOfPreview(content: PreparedContent, classOf: ClassOf): PreparedContent {
  const { html } = content;
  if (hidesBody(html) || !usesPhi(parseTemplate(html, 'html'), classOf)) return content;
  return { ...content, html: addPreheader(html, '') };
}

function htmlOf(body: BodySource, classOf: ClassOf): string {
  if ('html' in body) {
    const html = withUnixLines(body.html);
    refuseTooMany('html', html);
    checkBody('html', html, classOf);
    refuseTooDeep(html);
    return inlineStyles(html);
  }
  if ('mjml' in body) {
    refuseTooMany('mjml', body.mjml);
    const mjml = withUnixLines(body.mjml);
    const { html, hasInlineStyles, sourcePlace } = mjmlToHtml(mjml);
    checkPreviews(mjml, classOf);
    checkBody('mjml', html, classOf, sourcePlace);
    return hasInlineStyles ? inlineStyles(html) : html;
  }
  const blocks = readBlocks(body.blocks);
  checkBlocks(blocks, (part, html) => checkBody(part, html, classOf, NOWHERE));
  return mjmlToHtml(blocksToMjml(blocks)).html;
}

/** Preparing takes time that grows faster than the number of mustaches, and everybody waits for it. */
function refuseTooMany(part: string, source: string): void {
  const count = inPart(part, () => findMustaches(source).length);
  if (count > MOST_MUSTACHES) throw new ContentMistake(part, null, `takes at most ${MOST_MUSTACHES} mustaches`);
}

function refuseTooDeep(html: string): void {
  const found = findTooDeep(findTags(maskMustaches(html)), 'html');
  if (found !== null) throw new ContentMistake('html', positionOf(html, found.offset), found.rule);
}

/** What MJML shows beside the subject is held to what a preheader is. */
function checkPreviews(mjml: string, classOf: ClassOf): void {
  for (const { from, to } of mjmlPreviews(mjml)) {
    const preview = mjml.slice(from, to);
    const place: Place = (at) => positionOf(mjml, from + offsetOf(preview, at));
    check('mjml', () => parseTemplate(preview, 'html'), 'preview', classOf, place);
  }
}

function checkBody(part: string, html: string, classOf: ClassOf, place?: Place): Template {
  return check(part, () => parseTemplate(html, 'html'), 'body', classOf, place);
}

function checkLine(part: string, source: string, longest: number, classOf: ClassOf): Template {
  if (source.length > longest || /[\r\n]/.test(source)) {
    throw new ContentMistake(part, null, `takes one line of at most ${longest} characters`);
  }
  return check(part, () => parseTemplate(source, 'header'), 'preview', classOf);
}

/** The text that is sent beside the HTML, with the way out. */
function plainText(source: string, classOf: ClassOf): { text: string; template: Template } {
  const template = checkText(source, classOf);
  const text = withLineEnd(showsWayOut(template) ? source : addFooterToText(source));
  return { text, template: inPart('text', () => parseTemplate(text, 'text')) };
}

function checkText(text: string, classOf: ClassOf): Template {
  return check('text', () => parseTemplate(text, 'text'), 'body', classOf);
}

function check(part: string, parse: () => Template, kind: PartKind, classOf: ClassOf, place?: Place): Template {
  const work = () => {
    const template = parse();
    refusePhi(template, kind, classOf);
    return template;
  };
  const template = inPart(part, work, place);
  if (variablesOf(template).some((name) => name.startsWith(RESERVED_PREFIX))) {
    throw new ContentMistake(part, null, `names that begin with ${RESERVED_PREFIX} are reserved`);
  }
  return template;
}

function namesIn(templates: readonly Template[]): string[] {
  const names = new Set(templates.flatMap(variablesOf));
  names.delete(UNSUBSCRIBE_URL);
  return [...names].toSorted();
}

function withUnixLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
