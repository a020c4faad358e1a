import type { Following } from '../submission/message.ts';
import type { Envelope } from '../submission/sealed-message.ts';
import { findBodyEnd } from './find-body-end.ts';
import { findLinks } from './find-links.ts';
import type { LinkKind, LinkTokens } from './token.ts';

const MOST_LINKS = 1_000;
const PIXEL_STYLE = 'display:block;width:1px;height:1px;border:0';

/** What a customer wants to know about its mail. */
export interface TrackingSettings {
  openTracking: boolean;
  linkTracking: boolean;
}

export const DEFAULT_TRACKING: TrackingSettings = { openTracking: true, linkTracking: true };

/** A message made ready to be followed. */
export interface Tracked {
  html: string | null;
  headers: Record<string, string>;
  /** Where the rewritten links lead, by their numbers. */
  targets: string[];
}

interface Deps {
  tokens: LinkTokens;
  publicUrl: string;
}

/**
 * Puts the picture and the links into a message that tell what became of it. Only a message with one
 * recipient is followed: the others share one text, and nobody could say who opened it.
 */
export function trackMessage(
  { tokens, publicUrl }: Deps,
  settings: TrackingSettings,
  { id, envelope, html }: { id: string; envelope: Envelope; html: string | null },
): Tracked {
  const linkTo = (kind: LinkKind, number = 0) => `${publicUrl}/t/${tokens.make({ kind, id, number })}`;
  const { handling, recipients } = envelope;
  if (recipients.length > 1) return { html, headers: sharedHeaders(envelope), targets: [] };
  const links = html !== null && isFollowed(handling.trackLinks, settings.linkTracking) ? findLinks(html) : [];
  const { text, targets } = rewrite(html ?? '', links, (number) => linkTo('click', number));
  const withPicture = isFollowed(handling.trackOpens, settings.openTracking) ? addPicture(text, linkTo('open')) : text;
  return {
    html: html === null ? null : withPicture,
    headers: wantsWayOut(envelope) ? wayOut(linkTo('unsubscribe')) : {},
    targets,
  };
}

function isFollowed(wish: Following, isSet: boolean): boolean {
  return wish === 'always' || (wish && isSet);
}

function rewrite(html: string, links: ReturnType<typeof findLinks>, linkTo: (number: number) => string) {
  const numbers = new Map<string, number>();
  let text = '';
  let at = 0;
  for (const { start, end, target } of links) {
    if (!numbers.has(target) && numbers.size === MOST_LINKS) continue;
    const number = numbers.get(target) ?? numbers.size;
    numbers.set(target, number);
    text += `${html.slice(at, start)}href="${linkTo(number)}"`;
    at = end;
  }
  return { text: text + html.slice(at), targets: [...numbers.keys()] };
}

function addPicture(html: string, url: string): string {
  const picture = `<img src="${url}" width="1" height="1" alt="" style="${PIXEL_STYLE}">`;
  const end = findBodyEnd(html);
  return end === null ? html + picture : html.slice(0, end) + picture + html.slice(end);
}

/** Whether the way out is ours to give: asked for, and not already given by a header of the sender's own. */
function wantsWayOut({ handling, headers }: Envelope): boolean {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return !names.has('list-unsubscribe') && (handling.unsubscribeUrl !== null || names.has('list-unsubscribe-post'));
}

/** RFC 8058 3.1: one address, and the header that allows to post to it without asking. */
function wayOut(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** With several recipients nobody can be told apart, so the way out is the sender's own page. */
function sharedHeaders(envelope: Envelope): Record<string, string> {
  const { unsubscribeUrl } = envelope.handling;
  return unsubscribeUrl !== null && wantsWayOut(envelope) ? { 'List-Unsubscribe': `<${unsubscribeUrl}>` } : {};
}
