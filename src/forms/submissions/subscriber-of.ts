import { parseAddress } from '../../email/index.ts';
import type { NewSubscriber } from '../../marketing/index.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import type { Answers } from '../model/form-model.ts';

const MARKETING_FORM = 'marketing_form';
const E164 = /^\+[1-9]\d{6,14}$/;
const LONGEST_NAME = 1_000;

/** The list that a form feeds: it names one, and is a form for marketing or says nothing of what it is. */
export function listFedBy({ type, subscriptionListId }: PublicForm): number | null {
  return type === null || type === MARKETING_FORM ? subscriptionListId : null;
}

/** Who is added to a list: name and addresses, and none of the other answers. Null where no address was given. */
export function subscriberOf(answers: Answers, submitter: string | null): NewSubscriber | null {
  const email = parseAddress(submitter ?? '')?.address;
  const phoneNumber = phoneOf(textOf(answers, ['phone_number', 'phone', 'mobile', 'phoneNumber']));
  if (email === undefined && phoneNumber === undefined) return null;
  const firstName = textOf(answers, ['first_name', 'firstName', 'first name', 'given_name']);
  const lastName = textOf(answers, ['last_name', 'lastName', 'last name', 'family_name', 'surname']);
  return {
    ...(email === undefined ? {} : { email }),
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    customFields: new Map(),
  };
}

function textOf(answers: Answers, names: string[]): string | undefined {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const found = Object.entries(answers).find(
    ([name, answer]) => wanted.has(name.toLowerCase()) && typeof answer === 'string' && answer.trim() !== '',
  );
  return (found?.[1] as string | undefined)?.trim().slice(0, LONGEST_NAME).toWellFormed();
}

function phoneOf(text: string | undefined): string | undefined {
  const number = text?.replace(/[\s().-]/g, '');
  return number !== undefined && E164.test(number) ? number : undefined;
}
