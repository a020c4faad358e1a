import { convert, type HtmlToTextOptions } from 'html-to-text';
import { mustachesIn, shield } from './shield.ts';

const COMMENT = /^\{\{~?!/;
const LINE = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const CONVERSION: HtmlToTextOptions = {
  wordwrap: 76,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true, linkBrackets: ['<', '>'] } },
    { selector: 'img', format: 'skip' },
    { selector: 'title', format: 'skip' },
    { selector: 'td', format: 'block', options: LINE },
    { selector: 'th', format: 'block', options: LINE },
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};

/** The plain text of HTML, with the targets of its links and with its mustaches. */
export function textFromHtml(html: string): string {
  const mustaches = mustachesIn(html).map((each) => (COMMENT.test(each.becomes) ? { ...each, becomes: '' } : each));
  const { text, restore } = shield(html, mustaches);
  const plain = convert(text, CONVERSION)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\\?\{\{/g, '\\{{');
  return `${restore(plain.trim())}\n`;
}
