/** What patients thought of their visit; nobody has to say who they are. */
export const template = {
  name: 'Feedback after a visit',
  about: 'Ratings, a score and a few words; nobody has to give a name.',
  title: 'How was your visit?',
  description: 'Five questions. You need not say who you are.',
  signable: false,
  signatureLabel: '',
  json: {
    pages: [
      {
        id: 'visit',
        title: 'Your visit',
        fields: [
          {
            type: 'nps',
            name: 'recommend',
            label: 'How likely are you to recommend us?',
            help: '0 is not at all, 10 is very.',
            required: true,
          },
          {
            type: 'matrix',
            name: 'parts',
            label: 'How were these?',
            rows: [
              { value: 'booking', label: 'Getting an appointment' },
              { value: 'waiting', label: 'The time you waited' },
              { value: 'staff', label: 'The people at the desk' },
              { value: 'care', label: 'The care you got' },
            ],
            columns: [
              { value: 'poor', label: 'Poor', score: 1 },
              { value: 'fair', label: 'Fair', score: 2 },
              { value: 'good', label: 'Good', score: 3 },
              { value: 'very_good', label: 'Very good', score: 4 },
            ],
          },
          { type: 'long_text', name: 'better', label: 'What could we do better?', show_when: 'recommend < 9' },
          { type: 'long_text', name: 'best', label: 'What did you like most?', show_when: 'recommend >= 9' },
          { type: 'yes_no', name: 'call_back', label: 'Shall we call you back about it?' },
          { type: 'phone', name: 'phone', label: 'Phone number', required: true, show_when: 'call_back == true' },
        ],
      },
    ],
  },
} as const;
