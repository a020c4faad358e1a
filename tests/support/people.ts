import type { TestApp, TestCustomer } from './app.ts';
import { eventually } from './eventually.ts';
import { addForm } from './forms.ts';

/** People, lists and what hangs on them, to be asked for by their ids. */
export interface People {
  subscriberNumber: string;
  /** To be taken away, one by one and many at once. */
  leavingSubscriberIds: [string, string];
  leavingListId: number;
  subscriptionId: string;
  /** One to be read and changed, and one to be taken away. */
  fieldTypeIds: [string, string];
  /** A form that feeds a list. */
  feedingFormId: string;
  /** A bulk job that made a file. */
  exportId: string;
}

/** Makes them for a customer who has a subscriber and a list, in an app that also works on jobs. */
export async function addPeople(
  app: TestApp,
  { id: customerId, key, mark }: TestCustomer & { mark: string },
  { subscriberId, listId }: { subscriberId: string; listId: number },
): Promise<People> {
  const ask = async (method: string, path: string, body?: object) =>
    (await app.request(method, `/v1/marketing${path}`, { key, ...(body && { body }) })).body.data;
  const person = async (name: string) =>
    (await ask('POST', '/subscribers', { subscriber: { email: `${name}-${mark}@example.com`, first_name: mark } })).id;
  const field = async (name: string) => (await ask('POST', '/subscriber_custom_field_types', { name })).id;
  const [subscription] = await ask('GET', `/subscriptions?subscriber_id=${subscriberId}`);
  const { jid } = await ask('POST', '/subscribers_export_csv', { email: `${mark}@example.org`, search: mark });
  await eventually(async () => (await ask('GET', `/bulk_jobs/${jid}`)).state === 'done');
  return {
    subscriberNumber: String(subscription.attributes.subscriber_id),
    leavingSubscriberIds: [await person('one'), await person('other')],
    leavingListId: Number((await ask('POST', '/subscription_lists', { name: `${mark} to leave` })).id),
    subscriptionId: subscription.id,
    fieldTypeIds: [await field(`kept ${mark}`), await field(`leaving ${mark}`)],
    feedingFormId: await addForm(app, customerId, { title: mark, subscription_list_id: listId }),
    exportId: jid,
  };
}
