import { DEFAULT_HANDLING, type Message } from '../../email/index.ts';

interface Facts {
  systemFrom: string;
  sender: string;
  list: string;
  text: string | null;
  address: string;
  link: string;
}

/** The mail that asks somebody to confirm that they want to be on a list. Nobody follows whether it is read. */
export function confirmationMail({ systemFrom, sender, list, text, address, link }: Facts): Message {
  const [from, name] = [oneLine(sender), oneLine(list)];
  const words = text === null ? '' : `\n${text}\n`;
  return {
    from: { name: from, address: systemFrom },
    replyTo: [],
    subject: `Please confirm: ${name}`,
    headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834 5
    recipients: [{ kind: 'to', name: null, address }],
    text: `Somebody, hopefully you, asked ${from} to put this address on the list “${name}”.
${words}
If it was you, confirm it here:
${link}

If it was not, do nothing: you get no more mail about this.
`,
    html: null,
    attachments: [],
    handling: { ...DEFAULT_HANDLING, trackOpens: false, trackLinks: false },
  };
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
