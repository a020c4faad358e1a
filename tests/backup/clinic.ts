import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { firstKey, type ServerProcess } from '../support/server.ts';

/** A file that every submission brings along. */
export const FILE = randomBytes(200_000);

/** What was acknowledged, to be asked for again. */
export interface Work {
  messages: string[];
  submissions: { id: string; answer: string; path: string }[];
  subscribers: string[];
}

/** A customer with a form. */
export interface Clinic {
  key: string;
  formId: string;
}

const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

async function post(server: ServerProcess, path: string, key: string, body: object) {
  const reply = await fetch(server.url + path, { method: 'POST', headers: headersOf(key), body: JSON.stringify(body) });
  assert.ok(reply.status < 300, `${path}: ${reply.status} ${await reply.clone().text()}`);
  return reply;
}

/** Asks as the customer. */
export async function get(server: ServerProcess, path: string, key: string) {
  return fetch(server.url + path, { headers: headersOf(key) });
}

/** What the first start made, and a form. */
export async function openClinic(server: ServerProcess): Promise<Clinic> {
  const key = firstKey(server);
  const form = { title: 'Intake', customer_id: 1, active: true, form_json: {}, recipient: 'desk@example.org' };
  const made = await post(server, '/v1/forms/api/forms', key, form);
  return { key, formId: ((await made.json()) as { id: string }).id };
}

/** Mail, a submission with a file and a subscriber, each acknowledged. */
export async function doWork(server: ServerProcess, { key, formId }: Clinic, mark: string): Promise<Work> {
  const work: Work = { messages: [], submissions: [], subscribers: [] };
  for (const number of [1, 2, 3]) {
    const message = {
      recipients: [`${mark}-${number}@example.com`],
      headers: { from: 'clinic@example.org', subject: mark },
      content: { 'text/plain': `${mark} ${number}` },
    };
    const sent = await post(server, '/v1/email/messages', key, { data: { message } });
    work.messages.push(((await sent.json()) as { sourceTrackingId: string }).sourceTrackingId);
  }
  const answer = `${mark} answer`;
  const submission = {
    form_data: { email: `${mark}@example.com`, question: answer },
    attachments: [{ name: `${mark}.bin`, content: FILE.toString('base64') }],
  };
  const submitted = await post(server, `/api/forms/${formId}/submissions`, '', submission);
  const id = submitted.headers.get('x-submission-id') as string;
  work.submissions.push({ id, answer, path: `/v1/forms/api/forms/${formId}/submissions/${id}` });
  const person = { subscriber: { email: `${mark}-person@example.com`, first_name: mark } };
  const added = await post(server, '/v1/marketing/subscribers', key, person);
  work.subscribers.push(((await added.json()) as { data: { id: string } }).data.id);
  return work;
}

/** Asks for each thing by its id, and compares what comes with what was sent. */
export async function assertThere(server: ServerProcess, { key }: Clinic, work: Work): Promise<void> {
  for (const id of work.messages) {
    assert.equal((await get(server, `/v1/email/message_log/${id}`, key)).status, 200, `message ${id}`);
  }
  for (const { id, answer, path } of work.submissions) {
    const { data } = (await (await get(server, path, key)).json()) as {
      data: { form_data: string; attachments: { id: string }[] };
    };
    assert.equal(JSON.parse(data.form_data).question, answer, `submission ${id}`);
    const file = await get(server, `${path}/attachments/${data.attachments[0]?.id}`, key);
    assert.ok(Buffer.from(await file.arrayBuffer()).equals(FILE), `file of submission ${id}`);
  }
  for (const id of work.subscribers) {
    assert.equal((await get(server, `/v1/marketing/subscribers/${id}`, key)).status, 200, `subscriber ${id}`);
  }
}
