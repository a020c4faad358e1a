import { parseTemplate, renderTemplate, type Template } from '../../../email/index.ts';
import type { OwnParts } from './compile-mime.ts';
import type { PreparedContent } from './prepare-content.ts';
import { LINKS, UNSUBSCRIBE_URL } from './reserved-names.ts';
import { withLinkVariables } from './track-links.ts';

/** What a mailing says to one reader, for whoever writes the mail themselves. */
interface Parts {
  subject: string;
  text: string;
  html: string;
}

type PartsFor = (person: Record<string, unknown>, own: Pick<OwnParts, 'links' | 'unsubscribeUrl'>) => Parts;

/** Builds what fills in a mailing part by part; it is parsed once, and by nobody who does not ask. */
export function createParts(content: PreparedContent, { trackLinks }: { trackLinks: boolean }): PartsFor {
  let parsed: Record<keyof Parts, Template> | null = null;
  return (person, { links, unsubscribeUrl }) => {
    parsed ??= {
      subject: parseTemplate(content.subject, 'header'),
      text: parseTemplate(content.text, 'text'),
      html: parseTemplate(trackLinks ? withLinkVariables(content.html).html : content.html, 'html'),
    };
    const variables = { ...person, [LINKS]: links, [UNSUBSCRIBE_URL]: unsubscribeUrl };
    const { subject, text, html } = parsed;
    return {
      subject: renderTemplate(subject, variables).text,
      text: renderTemplate(text, variables).text,
      html: renderTemplate(html, variables).text,
    };
  };
}
