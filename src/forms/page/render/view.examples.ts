import { whatWasAsked } from '../../model/asked.ts';
import { compileForm } from '../../model/compile.ts';
import { todayAt } from '../../model/today.ts';
import type { PageView } from '../view.ts';

const TODAY = todayAt(new Date('2026-11-15T09:00:00Z'));

/** One question of every kind, on one page. */
export const EVERY_KIND = {
  fields: [
    { type: 'heading', id: 'about-you', text: 'About you' },
    { type: 'text', name: 'name', label: 'Your name', required: true, help: 'As it stands on your insurance card.' },
    { type: 'date', name: 'born', label: 'Date of birth', max: 'today', required: true },
    { type: 'email', name: 'email', label: 'Email' },
    { type: 'phone', name: 'phone', label: 'Phone' },
    { type: 'address', name: 'home', label: 'Home address' },
    { type: 'time', name: 'call', label: 'When may we call you?' },
    { type: 'number', name: 'weight', label: 'Weight in kilograms', min: 0 },
    {
      type: 'section',
      id: 'health',
      title: 'Your health',
      fields: [
        { type: 'select', name: 'doctor', label: 'Who is your doctor?', options: ['Dr Ada', 'Dr Bo'], other: true },
        {
          type: 'radio',
          name: 'smoker',
          label: 'Do you smoke?',
          options: [
            { value: 'daily', label: 'Every day', score: 2 },
            { value: 'some', label: 'Now and then', score: 1 },
            { value: 'no', label: 'No', score: 0 },
          ],
        },
        { type: 'number', name: 'years', label: 'For how many years?', show_when: "smoker == 'daily'", required: true },
        {
          type: 'checkboxes',
          name: 'symptoms',
          label: 'What troubles you?',
          options: ['Cough', 'Fever', 'Pain'],
          other: true,
        },
        { type: 'yes_no', name: 'pregnant', label: 'Could you be pregnant?' },
        { type: 'rating', name: 'pain', label: 'How strong is your pain?', min: 0, max: 10 },
        {
          type: 'matrix',
          name: 'mood',
          label: 'Over the last two weeks, how often were you bothered by',
          rows: ['Little interest', 'Feeling down'],
          columns: ['Not at all', 'Several days', 'Nearly every day'],
          required: true,
        },
        { type: 'long_text', name: 'story', label: 'Tell us more', maxLength: 500 },
      ],
    },
    {
      type: 'repeating group',
      name: 'medications',
      label: 'Medication',
      max: 5,
      fields: [
        { type: 'text', name: 'drug', label: 'Name of the medicine', required: true },
        { type: 'text', name: 'dose', label: 'Dose' },
      ],
    },
    { type: 'file', name: 'card', label: 'Insurance card', accept: ['image/*', '.pdf'], max: 2, maxSize: 5_000_000 },
    { type: 'calculated', name: 'points', label: 'Points', formula: 'score(smoker) + pain' },
    { type: 'hidden', name: 'source' },
    {
      type: 'consent',
      name: 'privacy',
      label: 'I agree',
      text: 'We keep your answers for ten years.\nYou may ask for a copy at any time.',
      required: true,
    },
    { type: 'signature', name: 'guardian', label: 'Signature of the guardian' },
  ],
};

/** A view of a form as it is first shown, with whatever differs. */
export function viewOf(formJson: unknown, differs: Partial<PageView> = {}): PageView {
  const model = differs.model ?? compileForm(formJson);
  const answers = differs.answers ?? {};
  const isAsked = whatWasAsked(model, answers, TODAY);
  return {
    formId: '0b9f7c1e-4a52-4b3e-9a55-0d8b6a3f2c11',
    action: '/f/before-your-visit',
    title: 'Before your visit',
    description: 'Please take ten minutes for this. Only your care team reads it.',
    version: 3,
    model,
    layout: { html: null, css: null },
    signing: null,
    language: 'en',
    languages: ['en'],
    step: 0,
    steps: Math.max(1, model.pages.filter((page) => isAsked(page)).length),
    answers,
    isAsked,
    problems: {},
    notes: [],
    files: {},
    controls: { _version: '3' },
    resumable: false,
    proofOfWork: false,
    sealedTo: [],
    today: TODAY,
    ...differs,
  };
}

/** The form as a whole is signed, and was not yet. */
export const SIGNING = { label: 'I have told the truth.', given: null };

/** What of a view differs where nearly all of EVERY_KIND is answered. */
export const FILLED: Partial<PageView> = {
  answers: {
    name: 'Ann',
    doctor: 'Dr Zed',
    smoker: 'daily',
    symptoms: ['Cough', 'My knee'],
    pregnant: 'no',
    pain: '7',
    mood: { 'Little interest': 'Several days' },
    medications: [{ drug: 'Aspirin' }, { drug: 'Ibuprofen', dose: '200 mg' }],
    privacy: 'true',
    story: '\nTwo\nlines',
    home: { street: '1 Main St', zip: '12345' },
    guardian: { confirmed: true, method: 'typed', name: 'Bea' },
  },
  files: { card: [{ token: 'token-1', name: 'card.jpg', size: 2_345_678 }] },
  signing: SIGNING,
};
