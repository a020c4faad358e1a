import type { Body } from '../../../api/client.ts';
import { words } from '../../../words/mailings.ts';

/** How somebody wants a mailing to be sent. */
export interface Wish {
  audience: 'list' | 'segment' | 'addresses';
  listId: string;
  segmentId: string;
  addresses: string;
  time: 'now' | 'later';
  /** As the browser's own field writes it: by the clock of this computer. */
  at: string;
  perSecond: string;
  hasWindow: boolean;
  from: string;
  to: string;
}

/** Nothing chosen yet. */
export const FIRST_WISH: Wish = {
  audience: 'list',
  listId: '',
  segmentId: '',
  addresses: '',
  time: 'now',
  at: '',
  perSecond: '',
  hasWindow: false,
  from: '09:00',
  to: '17:00',
};

/** The time zone of this computer. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The addresses that somebody typed. */
export function addressesIn(text: string): string[] {
  return text.split(/[\n,;]/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

/** Whether enough is chosen to go on. */
export function isComplete({ audience, listId, segmentId, addresses, time, at }: Wish): boolean {
  const hasAudience = { list: listId !== '', segment: segmentId !== '', addresses: addressesIn(addresses).length > 0 };
  return hasAudience[audience] && (time === 'now' || at !== '');
}

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$|<[^\s@<>]+@[^\s@<>]+>$/;

/** What is wrong with a wish, by its field. */
export interface Mistakes {
  addresses?: string;
  at?: string;
}

/** What of a wish would be refused. */
export function mistakesIn({ audience, addresses, time, at }: Wish): Mistakes {
  const wrong = audience === 'addresses' ? addressesIn(addresses).findIndex((each) => !ADDRESS.test(each)) : -1;
  const isOver = time === 'later' && new Date(at) <= new Date();
  return {
    ...(wrong === -1 ? {} : { addresses: words.notAddress(wrong + 1) }),
    ...(isOver ? { at: words.timePassed } : {}),
  };
}

/** A wish as the product takes it. */
export function sendOf(wish: Wish): Body<'sendCampaignMailing'>['campaign_mailing_send'] {
  const { audience, perSecond, hasWindow, from, to } = wish;
  return {
    ...(audience === 'list' ? { subscription_list_id: wish.listId } : {}),
    ...(audience === 'segment' ? { dynamic_list_id: wish.segmentId } : {}),
    ...(audience === 'addresses' ? { recipient_emails: addressesIn(wish.addresses) } : {}),
    ...(perSecond === '' ? {} : { per_second: Number(perSecond) }),
    ...(hasWindow ? { send_window: { from, to, time_zone: ZONE } } : {}),
  };
}
