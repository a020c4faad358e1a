/** One answer of each kind that 45 CFR 164.514(b)(2)(i) lists, and what an export without identities tells of it. */
interface Identifier {
  /** The letter of the list. */
  letter: string;
  field: { type: string; name: string; label: string; [setting: string]: unknown };
  answer: unknown;
  /** The heading and the cell that remain; null where there is no column. */
  told: [heading: string, cell: string] | null;
}

export const IDENTIFIERS: Identifier[] = [
  { letter: 'A names', field: { type: 'text', name: 'full_name', label: 'Your name' }, answer: 'Ann Lee', told: null },
  {
    letter: 'B address',
    field: { type: 'address', name: 'home', label: 'Where you live' },
    answer: { street: '12 Elm Street', city: 'Springfield', state: 'IL', zip: '62704' },
    told: null,
  },
  {
    letter: 'B address of which the ZIP area is told',
    field: { type: 'address', name: 'work', label: 'Where you work', deidentify: 'zip' },
    answer: { street: '9 Oak Street', city: 'Shelbyville', state: 'IL', zip: '62565-1234' },
    told: ['Where you work (ZIP3)', '625'],
  },
  {
    letter: 'B ZIP code of an area with few people',
    field: { type: 'text', name: 'zip', label: 'ZIP code', deidentify: 'zip' },
    answer: '05901',
    told: ['ZIP code (ZIP3)', '000'],
  },
  {
    letter: 'B place to choose',
    field: { type: 'select', name: 'county', label: 'County', options: ['Sangamon', 'Cook'] },
    answer: 'Sangamon',
    told: null,
  },
  {
    letter: 'C date',
    field: { type: 'date', name: 'admitted', label: 'Admission' },
    answer: '2025-11-23',
    told: ['Admission (year)', '2025'],
  },
  {
    letter: 'C date that shows an age over 89',
    field: { type: 'date', name: 'vaccinated', label: 'First vaccination' },
    answer: '1931-05-06',
    told: ['First vaccination (year)', 'before 1937'],
  },
  {
    letter: 'C date of birth',
    field: { type: 'date', name: 'dob', label: 'Date of birth' },
    answer: '1981-03-05',
    told: ['Date of birth (age)', '44'],
  },
  {
    letter: 'C date of birth of somebody over 89',
    field: { type: 'date', name: 'mother', label: 'When was your mother born?' },
    answer: '1930-01-02',
    told: ['When was your mother born? (age)', '90+'],
  },
  { letter: 'C age', field: { type: 'number', name: 'age', label: 'Age' }, answer: 97, told: ['Age (age)', '90+'] },
  { letter: 'D telephone', field: { type: 'phone', name: 'p', label: 'Phone' }, answer: '+14155550123', told: null },
  { letter: 'E fax', field: { type: 'number', name: 'f', label: 'Fax' }, answer: 4155550199, told: null },
  { letter: 'F email', field: { type: 'email', name: 'e', label: 'Email' }, answer: 'ann@example.com', told: null },
  {
    letter: 'G social security number',
    field: { type: 'number', name: 'ssn', label: 'SSN' },
    answer: 123456789,
    told: null,
  },
  {
    letter: 'H medical record number',
    field: { type: 'text', name: 'record', label: 'Medical record number' },
    answer: 'MRN-77182',
    told: null,
  },
  {
    letter: 'I health plan beneficiary number',
    field: { type: 'number', name: 'memberId', label: 'Member number' },
    answer: 880_017_265,
    told: null,
  },
  { letter: 'J account', field: { type: 'number', name: 'acct', label: 'Account' }, answer: 4_417_123, told: null },
  { letter: 'K licence', field: { type: 'text', name: 'l', label: 'Licence' }, answer: 'D-400-7836', told: null },
  { letter: 'L vehicle', field: { type: 'text', name: 'v', label: 'Number plate' }, answer: 'KTX-9482', told: null },
  { letter: 'M device', field: { type: 'number', name: 'd', label: 'Device serial' }, answer: 990_000_862, told: null },
  { letter: 'N URL', field: { type: 'url', name: 'u', label: 'Web page' }, answer: 'https://ann.example/', told: null },
  { letter: 'O IP address', field: { type: 'hidden', name: 'ip', label: 'IP' }, answer: '203.0.113.77', told: null },
  {
    letter: 'P biometric: a signature',
    field: { type: 'signature', name: 's', label: 'Signature' },
    answer: { confirmed: true, name: 'Annabel Lee' },
    told: null,
  },
  {
    letter: 'Q photograph, by the name of its file',
    field: { type: 'file', name: 'photo', label: 'Photo' },
    answer: undefined,
    told: null,
  },
  {
    letter: 'R any other that is unique',
    field: { type: 'long_text', name: 'story', label: 'Tell us' },
    answer: 'I am the only mayor of Springfield',
    told: null,
  },
];
