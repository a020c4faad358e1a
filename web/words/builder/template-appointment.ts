/** A request for an appointment, new or in place of another one. */
export const template = {
  name: 'Appointment request',
  about: 'What for, when it suits, and how to answer. Short enough for a phone.',
  title: 'Ask for an appointment',
  description: 'We answer within one working day. In an emergency, call 911.',
  signable: false,
  signatureLabel: '',
  json: {
    pages: [
      {
        id: 'request',
        title: 'Your request',
        fields: [
          { type: 'text', name: 'full_name', label: 'Full name', required: true, max_length: 200 },
          { type: 'phone', name: 'phone', label: 'Phone number', required: true },
          { type: 'email', name: 'email', label: 'Email', require_when: 'answer_by == "Email"' },
          {
            type: 'radio',
            name: 'answer_by',
            label: 'How shall we answer?',
            options: ['Phone', 'Email'],
            required: true,
          },
          { type: 'yes_no', name: 'known', label: 'Have you been here before?', required: true },
          {
            type: 'select',
            name: 'what_for',
            label: 'What is it for?',
            options: ['Check-up', 'Follow-up', 'New complaint', 'Vaccination', 'Prescription'],
            other: true,
            required: true,
          },
          {
            type: 'long_text',
            name: 'complaint',
            label: 'What is the matter?',
            show_when: 'what_for == "New complaint"',
          },
          { type: 'date', name: 'earliest_day', label: 'From which day on?', min: 'today' },
          {
            type: 'checkboxes',
            name: 'times',
            label: 'When does it suit you?',
            options: ['Mornings', 'Around noon', 'Afternoons', 'Evenings'],
          },
        ],
      },
    ],
  },
} as const;
