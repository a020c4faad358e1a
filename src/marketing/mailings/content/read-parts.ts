import { parseTemplate, renderTemplate } from '../../../email/index.ts';
import type { OwnParts } from './compile-mime.ts';
import type { PreparedContent } from './prepare-content.ts';
import { LINKS, UNSUBSCRIBE_URL } from './reserved-names.ts';
import { withLinkVariables } from './track-links.ts';

/** What a mailing says to one reader, for whoever writes the mail themselves. */
export function readParts(
  content: PreparedContent,
  { trackLinks }: { trackLinks: boolean },
  person: Record<string, unknown>,
  { links, unsubscribeUrl }: Pick<OwnParts, 'links' | 'unsubscribeUrl'>,
): { subject: string; text: string; html: string } {
  const variables = { ...person, [LINKS]: links, [UNSUBSCRIBE_URL]: unsubscribeUrl };
  const render = (source: string, kind: 'html' | 'text' | 'header') =>
    renderTemplate(parseTemplate(source, kind), variables).text;
  const html = trackLinks ? withLinkVariables(content.html).html : content.html;
  return {
    subject: render(content.subject, 'header'),
    text: render(content.text, 'text'),
    html: render(html, 'html'),
  };
}
