import { useQuery } from '@tanstack/react-query';
import { call, type Reply } from '../../api/client.ts';

type Form = Reply<'listForms'>['results'][number];

const SIZE = 100;
/** Nobody finds a form among more than these by looking through a menu. */
const MOST = 1_000;

/** Every form of a customer, asked for page by page; none until all have come. */
export function useAllForms(customerId: number | undefined): readonly Form[] | undefined {
  return useQuery({
    queryKey: ['listForms', 'all', customerId],
    queryFn: ({ signal }) => readAll(String(customerId), signal),
    enabled: customerId !== undefined,
  }).data;
}

async function readAll(customerId: string, signal: AbortSignal): Promise<Form[]> {
  const forms: Form[] = [];
  let pages = 1;
  for (let page = 1; page <= Math.min(pages, MOST / SIZE); page += 1) {
    const query = { customer_id: customerId, items: String(SIZE), page: String(page) };
    const reply = await call('listForms', { query }, { signal });
    forms.push(...reply.results);
    pages = reply.page_info.pages;
  }
  return forms;
}
