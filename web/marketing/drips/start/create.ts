import { call } from '../../../api/client.ts';
import { problemOf } from '../../../api/problem.ts';
import { words } from '../../../words/drips/starts.ts';
import { writeSteps } from '../model/wire-steps.ts';
import { type MailName, STARTS, type StartName } from './starts.ts';

/** Numbers of a title that are tried before it is left to somebody to clear up. */
const MOST_OF_A_TITLE = 50;

export interface NewDrip {
  name: string;
  list: string;
  start: StartName;
  senderEmail: string;
  fromName: string;
}

/**
 * Writes the mails of a starting point, where that is not done yet, and then the draft. Answers the id of the draft. Asked for
 * again by the same key, nothing of it is made twice.
 */
export async function createFrom(wish: NewDrip, written: Map<string, string>, key: string): Promise<string> {
  const { trigger, mails, steps } = STARTS[wish.start];
  for (const name of mails) {
    if (!written.has(name)) written.set(name, await writeMail(name, key));
  }
  const input = {
    body: {
      drip_campaign: {
        name: wish.name,
        start_trigger: trigger,
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        steps: writeSteps(steps((name) => written.get(name) as string)),
        ...(wish.list === '' ? {} : { subscription_list_id: wish.list }),
        ...(wish.senderEmail === '' ? {} : { sender_email: wish.senderEmail }),
        ...(wish.fromName === '' ? {} : { from_name: wish.fromName }),
      },
    },
  };
  const { data } = await call('createDripCampaign', input, { headers: { 'idempotency-key': key } });
  return data.id;
}

/** Writes a mail, by the first of its titles that is free: an earlier campaign has its own from the same beginning. */
async function writeMail(name: MailName, key: string, number = 1): Promise<string> {
  const { title, subject, heading, text } = words.mails[name];
  const blocks = [
    { type: 'heading', text: heading },
    { type: 'text', text },
  ];
  const parts = { default_subject: subject, template_type: 'blocks', blocks } as const;
  try {
    const campaign_mailing = { ...parts, subject: words.numbered(title, number) };
    const headers = { 'idempotency-key': `${key}-${name}-${number}` };
    const { data } = await call('createCampaignMailing', { body: { campaign_mailing } }, { headers });
    return data.id;
  } catch (error) {
    const isTaken = problemOf(error).fields['campaign_mailing.subject']?.includes('is taken') === true;
    if (!isTaken || number === MOST_OF_A_TITLE) throw error;
    return writeMail(name, key, number + 1);
  }
}
