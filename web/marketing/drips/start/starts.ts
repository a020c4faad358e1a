import { words } from '../../../words/drips/starts.ts';
import type { Step } from '../model/step.ts';

export type StartName = keyof typeof words.starts;
export type MailName = keyof typeof words.mails;

interface Start {
  trigger: 'subscription_created' | 'manual';
  mails: readonly MailName[];
  /** The steps, once the mails have ids. */
  steps(mail: (name: MailName) => string): Step[];
}

/** What a campaign may begin with. */
export const STARTS: Record<StartName, Start> = {
  welcome: {
    trigger: 'subscription_created',
    mails: ['welcome_1', 'welcome_2', 'welcome_3'],
    steps: (mail) => [
      { id: 'hello', type: 'email', campaign_mailing_id: mail('welcome_1') },
      { id: 'three-days', type: 'delay', delay: { span: { days: 3 } } },
      { id: 'morning', type: 'delay', delay: { until: { time: '09:00' } } },
      { id: 'expect', type: 'email', campaign_mailing_id: mail('welcome_2') },
      {
        id: 'read-it',
        type: 'wait',
        for: { event: 'opened', campaign_mailing_id: mail('welcome_2') },
        timeout: { days: 4 },
        then: [],
        else: [{ id: 'reminder', type: 'email', campaign_mailing_id: mail('welcome_3') }],
      },
    ],
  },
  follow_up: {
    trigger: 'manual',
    mails: ['follow_up_1', 'follow_up_2'],
    steps: (mail) => [
      { id: 'one-day', type: 'delay', delay: { span: { days: 1 } } },
      { id: 'thanks', type: 'email', campaign_mailing_id: mail('follow_up_1') },
      {
        id: 'answered',
        type: 'wait',
        for: { event: 'clicked', campaign_mailing_id: mail('follow_up_1') },
        timeout: { days: 5 },
        then: [{ id: 'done', type: 'exit' }],
        else: [{ id: 'reminder', type: 'email', campaign_mailing_id: mail('follow_up_2') }],
      },
    ],
  },
  reactivation: {
    trigger: 'manual',
    mails: ['reactivation_1', 'reactivation_2', 'reactivation_3'],
    steps: (mail) => [
      { id: 'invitation', type: 'email', campaign_mailing_id: mail('reactivation_1') },
      {
        id: 'read-it',
        type: 'wait',
        for: { event: 'opened', campaign_mailing_id: mail('reactivation_1') },
        timeout: { weeks: 1 },
        then: [
          { id: 'a-day', type: 'delay', delay: { span: { days: 1 } } },
          { id: 'booking', type: 'email', campaign_mailing_id: mail('reactivation_2') },
        ],
        else: [
          { id: 'two-weeks', type: 'delay', delay: { span: { weeks: 2 } } },
          { id: 'stay', type: 'email', campaign_mailing_id: mail('reactivation_3') },
        ],
      },
    ],
  },
  blank: { trigger: 'subscription_created', mails: [], steps: () => [] },
};
