import { DEFAULT_HANDLING, type Message, parseAddress, withoutRepeats } from '../../email/index.ts';

interface About {
  systemFrom: string;
  publicUrl: string;
  formId: string;
  submissionId: string;
}

/**
 * The mails that tell of a submission, one to each address. They say that there is one and where to read it, and
 * nothing else: neither answers nor the title of the form, which may say what a patient comes for.
 */
export function notificationsOf(recipient: string | null, about: About): Message[] {
  const { systemFrom, publicUrl, formId, submissionId } = about;
  const link = `${publicUrl}/app/forms/${formId}/submissions/${submissionId}`;
  const addresses = (recipient ?? '').split(',').flatMap((text) => parseAddress(text) ?? []);
  return withoutRepeats(addresses).map((address) => ({
    from: { name: 'Carepost', address: systemFrom },
    replyTo: [],
    subject: 'A form was submitted',
    headers: { 'Auto-Submitted': 'auto-generated' },
    recipients: [{ kind: 'to', ...address }],
    text: `A form of yours was filled in and submitted.\n\nSign in to read it:\n${link}\n`,
    html: null,
    attachments: [],
    handling: { ...DEFAULT_HANDLING, trackOpens: false, trackLinks: false },
  }));
}
