/** What is said about the versions of a form. */
export const words = {
  title: 'Versions',
  lead: 'Every change to what the form asks makes a version. Submissions stay with the version that was filled in.',
  version: (number: number) => `Version ${number}`,
  now: 'In use',
  compare: 'Compare',
  from: 'From version',
  to: 'To version',
  changes: 'What changed',
  nothing: 'Nothing changed between these two.',
  same: 'Choose two different versions.',
  before: 'Before',
  after: 'After',
  onlyOne: 'There is one version so far. Once the form is changed, the difference is told here.',
} as const;
