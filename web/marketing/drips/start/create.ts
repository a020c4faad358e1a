import { call } from '../../../api/client.ts';
import { words } from '../../../words/drips/starts.ts';
import { writeSteps } from '../model/wire-steps.ts';
import { STARTS, type StartName } from './starts.ts';

export interface NewDrip {
  name: string;
  list: string;
  start: StartName;
  senderEmail: string;
  fromName: string;
}

/** Writes the mails of a starting point, where that is not done yet, and then the draft. Answers the id of the draft. */
export async function createFrom(wish: NewDrip, written: Map<string, string>): Promise<string> {
  const { trigger, mails, steps } = STARTS[wish.start];
  for (const name of mails) {
    if (written.has(name)) continue;
    const { title, subject, heading, text } = words.mails[name];
    const blocks = [
      { type: 'heading', text: heading },
      { type: 'text', text },
    ];
    const campaign_mailing = { subject: title, default_subject: subject, template_type: 'blocks', blocks };
    const { data } = await call('createCampaignMailing', { body: { campaign_mailing } });
    written.set(name, data.id);
  }
  const { data } = await call('createDripCampaign', {
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
  });
  return data.id;
}
