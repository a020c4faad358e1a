const many = (count: number, one: string, more: string) => `${count.toLocaleString('en')} ${count === 1 ? one : more}`;

export const words = {
  title: 'Clinic',
  lead: 'What your organization is called here, and how to stop.',
  about: 'About',
  name: 'Name',
  nameHint: 'Stands in the agreement, in invitations and on the page.',
  username: 'Username',
  usernameHint: 'Part of some addresses of the API; it cannot be changed.',
  since: 'Here since',
  renamed: 'The name is changed.',
  danger: 'Danger zone',
  close: 'Close the account',
  closeLead: 'Stops everything that goes on here. Nothing is deleted: you can still sign in, read and export.',
  closeTitle: 'Close the account?',
  ends: 'This happens at once:',
  endsList: [
    'All API keys are revoked, and programs that use them stop working.',
    'Everybody but you is removed from the team.',
    'Drips and sendings are paused.',
    'The agreement ends: forms take nothing more and no new mail is accepted.',
  ],
  stays:
    'Everything that was received stays until whoever runs this server destroys it. Signing the agreement again opens the account; keys and people have to be made anew.',
  confirm: (username: string) => `Type ${username} to go on`,
  closeNow: 'Close the account',
  closed: (keys: number, people: number) =>
    `Closed: ${many(keys, 'key', 'keys')} revoked, ${many(people, 'person', 'people')} removed.`,
  isClosed: 'This account is closed',
  isClosedLead: 'An owner opens it again by signing the agreement.',
  toAgreement: 'To the agreement',
} as const;
