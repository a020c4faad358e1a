import { invalidField } from '../../../platform/errors.ts';
import { isEndless, type Link, linkNamesOf } from './links.ts';
import type { OwnFields } from './own-fields.ts';

/** A node that was read, with the links that are known by now. */
export interface ReadNode {
  own: OwnFields;
  links: Map<Link, string>;
}

/** Lets a node lead to a step, unless it cannot lead on in this way or leads elsewhere already. */
export function addLink(place: string, { own, links }: ReadNode, link: Link, to: string): void {
  if (!linkNamesOf(own.type).includes(link)) throw invalidField(place, `a step of type ${own.type} has no such link`);
  if (link === 'else' && isEndless(own)) throw invalidField(place, 'needs a timeout');
  if ((links.get(link) ?? to) !== to) throw invalidField(place, 'leads elsewhere than another link of the same step');
  links.set(link, to);
}
