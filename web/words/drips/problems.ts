/** What is wrong with a drip before it is saved. */
export const words = {
  noName: 'The campaign needs a name.',
  noMailing: 'Choose a mailing.',
  noList: 'Choose a list.',
  noForm: 'Choose a form.',
  noField: 'Choose a field.',
  noDate: 'Choose the date it goes by.',
  noSegment: 'Choose a segment.',
  noRule: 'Complete the rule: each condition needs a value.',
  noEvent: 'Name the event: letters, digits, dots, hyphens and underscores.',
  noTime: 'Say how long, as a whole number of at least 1.',
  noUrl: 'Enter an address that begins with https://.',
  noTarget: 'The step it leads to is gone. Choose another.',
  stray: 'Nobody gets here: an earlier step leads past it or ends.',
} as const;
