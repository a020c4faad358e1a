/** What the pages call the fields that errors of the API name. */
export const LABELS: Readonly<Record<string, string>> = {
  email: 'Email',
  first_name: 'First name',
  if_updated_at: 'What stands here',
  last_name: 'Last name',
  password: 'Password',
  phone_number: 'Phone number',
  preheader: 'Preview text',
  recipient: 'Who is told by mail',
  recipient_emails: 'Addresses',
  send_at: 'Date and time',
  sender_email: 'From',
  time_zone: 'Time zone',
};

/** One of several that stand in a field, counted from 1. */
export const numbered = (label: string, number: number) => `${label} (number ${number})`;
