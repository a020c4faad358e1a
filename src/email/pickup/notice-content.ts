import { escapeHtml } from '../../platform/http/pages/plain-page.ts';
import { domainOf } from '../submission/address.ts';
import type { Message } from '../submission/message.ts';
import { dayInWords } from './page/dates.ts';

interface Facts {
  /** The address of the sender. */
  from: string;
  link: string;
  until: Date;
}

/** What a notice says. Anybody on its way may read it: it names the sender's domain and the link. */
export function noticeContent({ from, link, until }: Facts): Pick<Message, 'text' | 'html' | 'attachments'> {
  const domain = domainOf(from);
  const last = dayInWords(until);
  const why = 'It is kept on a protected page, so that nobody can read it on its way to you.';
  const how = 'The page sends a one-time code to this address, and opens with it.';
  return {
    text: `${domain} has sent you a secure message.\n\n${why}\n\nRead it here until ${last}:\n${link}\n\n${how}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>You have a secure message</title></head>
<body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#1b2733">
<p><strong>${escapeHtml(domain)}</strong> has sent you a secure message.</p>
<p>${why}</p>
<p><a href="${escapeHtml(link)}" style="color:#0b5cad">Read the message</a> (until ${last})</p>
<p>${how}</p>
</body></html>
`,
    attachments: [],
  };
}
