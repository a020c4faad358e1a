const days = (count: number) => (count === 1 ? '1 day' : `${count.toLocaleString('en')} days`);

export const words = {
  title: 'Data retention',
  lead: 'How long things are kept before they are removed by themselves.',
  forms: 'Submissions of new forms',
  formsLead: 'Forms that are there already keep what they have; each form has its own setting on its page.',
  keep: 'Keep submissions',
  forGood: 'Until somebody removes them',
  forDays: 'For a number of days',
  days: 'Days',
  daysHint: 'From 1 to 36,500. State law often asks for years of medical records; ask your counsel.',
  saved: 'New forms keep their submissions as you said.',
  others: 'Everything else',
  othersLead: 'These are set by whoever runs this server.',
  content: 'Content of messages that have nothing left to deliver',
  sandbox: 'Mail in the sandbox inbox',
  exports: 'Files of exports',
  backups: 'Backups',
  audit: 'Audit log',
  auditKept: 'kept for good; the law asks for six years',
  inDays: days,
} as const;
