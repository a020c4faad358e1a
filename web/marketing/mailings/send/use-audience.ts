import { useRead } from '../../../api/query.ts';
import { useMay } from '../../../session/session.ts';
import { words } from '../../../words/mailings.ts';
import { addressesIn, type Wish } from './wish.ts';

/** Whom a wish means: in words, and how many they are; null while that is not known. */
export interface Audience {
  name: string;
  count: number | null;
}

const POLL_MS = 2_000;
const ALL = { query: { use_pagination: 'false' } };

/** The lists and segments that can be chosen. */
export function useChoices() {
  const lists = useRead('listSubscriptionLists', ALL);
  const segments = useRead('listDynamicLists', ALL, { enabled: useMay('editor') });
  return { lists, segments };
}

/** Counts whom a wish means. */
export function useAudience(wish: Wish): Audience {
  const { audience, listId, segmentId } = wish;
  const { lists, segments } = useChoices();
  const inList = useRead(
    'countSubscribed',
    { query: { subscription_list_id: listId } },
    { enabled: audience === 'list' && listId !== '' },
  );
  const inSegment = useRead(
    'readDynamicList',
    { params: { id: segmentId } },
    {
      enabled: audience === 'segment' && segmentId !== '',
      pollMs: ({ data }) => (data.attributes.subscriber_count === null ? POLL_MS : false),
    },
  );
  if (audience === 'addresses') {
    const count = new Set(addressesIn(wish.addresses).map((address) => address.toLowerCase())).size;
    return { name: words.toAddresses(count), count };
  }
  if (audience === 'list') {
    const list = lists.data?.data.find(({ id }) => id === listId);
    return { name: words.toList(list?.attributes.name ?? ''), count: inList.data?.data ?? null };
  }
  const segment = segments.data?.data.find(({ id }) => id === segmentId);
  return {
    name: words.toSegment(segment?.attributes.name ?? ''),
    count: inSegment.data?.data.attributes.subscriber_count ?? null,
  };
}
