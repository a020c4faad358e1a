/** A consent to treatment with a signature, for patients and for those who decide for them. */
export const template = {
  name: 'Consent with signature',
  about: 'A text to agree to, who agrees for whom, and a signature.',
  title: 'Consent to treatment',
  description: 'Please read this in peace. Ask us whatever is not clear before you sign.',
  signable: true,
  signatureLabel: 'I have read and understood this, and I agree to the treatment.',
  json: {
    pages: [
      {
        id: 'consent_page',
        title: 'Consent',
        fields: [
          { type: 'text', name: 'patient_name', label: 'Name of the patient', required: true, max_length: 200 },
          { type: 'date', name: 'date_of_birth', label: 'Date of birth', required: true, max: 'today' },
          {
            type: 'radio',
            name: 'signed_by',
            label: 'Who signs?',
            options: ['The patient', 'A parent or guardian', 'Somebody else who may decide'],
            required: true,
          },
          {
            type: 'text',
            name: 'signer_name',
            label: 'Name of whoever signs',
            required: true,
            max_length: 200,
            show_when: 'signed_by != "The patient"',
          },
          {
            type: 'consent',
            name: 'treatment',
            label: 'Treatment',
            text: 'I agree to the examination and treatment that were explained to me. I was told of the benefits, the risks and the other ways there are, and my questions were answered. I may withdraw this consent at any time.',
            required: true,
          },
          {
            type: 'consent',
            name: 'privacy',
            label: 'Privacy',
            text: 'I have received the notice of privacy practices.',
            required: true,
          },
          { type: 'long_text', name: 'questions', label: 'What would you still like to know?' },
        ],
      },
    ],
  },
} as const;
