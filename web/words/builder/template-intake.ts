/** What new patients are asked before their first visit. */
export const template = {
  name: 'Patient intake',
  about: 'Contact, history, medicines and insurance, on four pages, signed at the end.',
  title: 'Before your first visit',
  description: 'It takes about ten minutes. Have your insurance card and a list of your medicines at hand.',
  signable: true,
  signatureLabel: 'What I have told here is true as far as I know.',
  json: {
    pages: [
      {
        id: 'about_you',
        title: 'About you',
        fields: [
          { type: 'text', name: 'full_name', label: 'Full name', required: true, max_length: 200 },
          { type: 'date', name: 'date_of_birth', label: 'Date of birth', required: true, max: 'today' },
          { type: 'email', name: 'email', label: 'Email' },
          { type: 'phone', name: 'phone', label: 'Phone number', required: true },
          { type: 'address', name: 'address', label: 'Address' },
          {
            type: 'section',
            id: 'guardian',
            title: 'Parent or guardian',
            show_when: 'age(date_of_birth) < 18',
            fields: [
              {
                type: 'text',
                name: 'guardian_name',
                label: 'Name of the parent or guardian',
                required: true,
                max_length: 200,
              },
              { type: 'phone', name: 'guardian_phone', label: 'Their phone number', required: true },
            ],
          },
        ],
      },
      {
        id: 'health',
        title: 'Your health',
        fields: [
          { type: 'long_text', name: 'reason', label: 'What brings you to us?', required: true },
          {
            type: 'checkboxes',
            name: 'conditions',
            label: 'Do you have, or have you had, any of these?',
            options: ['Asthma', 'Cancer', 'Diabetes', 'Heart disease', 'High blood pressure', 'Stroke'],
            other: true,
          },
          { type: 'yes_no', name: 'allergies', label: 'Do you have any allergies?', required: true },
          {
            type: 'long_text',
            name: 'allergies_which',
            label: 'Which ones, and how do you react?',
            required: true,
            show_when: 'allergies == true',
          },
          { type: 'radio', name: 'smoking', label: 'Do you smoke?', options: ['Yes', 'I used to', 'No'] },
        ],
      },
      {
        id: 'medicines_page',
        title: 'Your medicines',
        fields: [
          { type: 'yes_no', name: 'takes_medicines', label: 'Do you take any medicines?', required: true },
          {
            type: 'repeating_group',
            name: 'medicines',
            label: 'Medicines',
            show_when: 'takes_medicines == true',
            max: 30,
            fields: [
              { type: 'text', name: 'medicine', label: 'Name of the medicine', required: true, max_length: 200 },
              { type: 'text', name: 'dose', label: 'How much, and how often', max_length: 200 },
            ],
          },
        ],
      },
      {
        id: 'insurance_page',
        title: 'Insurance',
        fields: [
          { type: 'text', name: 'insurer', label: 'Insurance company', max_length: 200 },
          {
            type: 'text',
            name: 'member_number',
            label: 'Member number',
            max_length: 60,
            show_when: 'not empty(insurer)',
          },
          {
            type: 'file',
            name: 'insurance_card',
            label: 'Your insurance card',
            help: 'A photo of both sides.',
            accept: ['image/*', '.pdf'],
            max_files: 2,
            max_size: 10_000_000,
            show_when: 'not empty(insurer)',
          },
        ],
      },
    ],
  },
} as const;
