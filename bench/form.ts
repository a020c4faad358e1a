import type { Load } from './driver.ts';
import { HTTP_PORT, type Installation } from './product.ts';

/** Limits that no load of a benchmark reaches. */
export const NO_LIMITS = { CAREPOST_LIMITS: 'network=9000000/60s,form=9000000/60s' };

/** A form of five questions, such as a clinic asks before a visit. */
const QUESTIONS = [
  { name: 'first_name', label: 'First name', type: 'text', required: true, max_length: 100 },
  { name: 'email', label: 'Email', type: 'email', required: true },
  { name: 'born', label: 'Date of birth', type: 'date', required: true },
  { name: 'reason', label: 'Reason for the visit', type: 'long text' },
  { name: 'again', label: 'Have you been here before?', type: 'yes/no' },
];

const ANSWERS = {
  first_name: 'Ann',
  email: 'ann-########@example.com', // another one each time
  born: '1980-02-29',
  reason: 'A cough that does not go away, and a rash on the left arm since Monday.',
  again: true,
};

/** Answers to that form, as they are sent. */
export const SUBMISSION = JSON.stringify({ form_data: ANSWERS });

/** Has submissions told to an endpoint. */
export async function createEndpoint(product: Installation): Promise<void> {
  const endpoint = { target_url: 'http://127.0.0.1:9/', events: ['forms.submission.created'] };
  await product.call('POST', '/v1/webhooks/endpoints', endpoint);
}

/** Makes the form: one that is only kept, one that notifies an address, or one for marketing that also feeds a list. */
export async function createForm(product: Installation, kind: 'kept' | 'notified' | 'marketing'): Promise<string> {
  const more = {
    ...(kind === 'kept' ? {} : { recipient: 'desk@example.org' }),
    ...(kind === 'marketing' ? { subscription_list_id: await listOf(product) } : {}),
  };
  const form = { title: 'Before your visit', customer_id: 1, active: true, form_json: { fields: QUESTIONS }, ...more };
  return (await product.call('POST', '/v1/forms/api/forms', form)).id as string;
}

async function listOf(product: Installation): Promise<string> {
  await product.call('POST', '/v1/marketing/subscribers', { subscriber: { email: 'first@example.com' } });
  const [list] = await product.sql<{ id: number }>('carepost', 'select id from subscription_lists limit 1');
  return String(list?.id);
}

/** The load of submissions to a form, or of the same bytes to the bare route. */
export function submissionLoad(
  to: { formId: string } | { barePort: number },
  connections: number,
  seconds: number,
): Load {
  const target =
    'formId' in to
      ? { port: HTTP_PORT, path: `/v1/forms/api/forms/${to.formId}/submissions` }
      : { port: to.barePort, path: '/messages' };
  return { ...target, headers: {}, body: SUBMISSION, connections, warmupSeconds: 3, seconds };
}
