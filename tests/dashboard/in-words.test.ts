import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldProblem } from '../../web/api/field-problem.ts';
import { readProblem } from '../../web/api/problem.ts';

const refusal = (body: object) => readProblem(new Response(JSON.stringify(body), { status: 400 }));

test('errors name fields as the pages do, and count from 1', async () => {
  const told: [body: object, shown: string][] = [
    [
      { errors: [{ details: 'campaign_mailing_send.recipient_emails[1] is not a valid address' }] },
      'Addresses (number 2) is not a valid address',
    ],
    [{ errors: [{ details: 'send_at lies in the past' }] }, 'Date and time lies in the past'],
    [
      { message: 'recipient: takes email addresses, separated by commas' },
      'Who is told by mail: takes email addresses, separated by commas',
    ],
    [{ message: 'password: is among those that are guessed first' }, 'Password: is among those that are guessed first'],
    [{ errors: [{ details: 'subscriber.email is required, or phone_number' }] }, 'Email is required, or phone number'],
    [{ message: 'Nobody has a field called next_visit' }, 'Nobody has a field called next_visit'],
    [{ message: 'subscribers[3].email is not a valid address' }, 'subscribers[3].email is not a valid address'],
  ];
  for (const [body, shown] of told) {
    const { message } = await refusal(body);
    assert.equal(message, shown);
  }
});

test('what stands beside a field is in words too, whichever way its area names the field', async () => {
  const told: [body: object, name: string, shown: string][] = [
    [{ error: '…', fields: { email: ['is required, or phone_number'] } }, 'email', 'Is required, or phone number'],
    [{ error: '…', details: { email: ['is required, or phone_number'] } }, 'email', 'Is required, or phone number'],
    [{ errors: [{ details: 'send_at: comes before time_zone' }] }, 'send_at', 'Comes before time zone'],
    [
      { message: 'password: is among those that are guessed first' },
      'password',
      'Is among those that are guessed first',
    ],
  ];
  for (const [body, name, shown] of told) assert.equal(fieldProblem(await refusal(body), name), shown);
});
