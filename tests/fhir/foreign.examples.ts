/** Questionnaires as others write them. */

const PHQ_OPTIONS = [
  ['LA6568-5', 'Not at all', 0],
  ['LA6569-3', 'Several days', 1],
  ['LA6570-1', 'More than half the days', 2],
  ['LA6571-9', 'Nearly every day', 3],
].map(([code, display, score]) => ({
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/ordinalValue', valueDecimal: score }],
  valueCoding: { system: 'http://loinc.org', code, display },
}));

const PHQ_QUESTIONS: [string, string][] = [
  ['/44250-9', 'Little interest or pleasure in doing things?'],
  ['/44255-8', 'Feeling down, depressed, or hopeless?'],
  ['/44259-0', 'Trouble falling or staying asleep, or sleeping too much?'],
  ['/44254-1', 'Feeling tired or having little energy?'],
  ['/44251-7', 'Poor appetite or overeating?'],
  ['/44258-2', 'Feeling bad about yourself?'],
  ['/44252-5', 'Trouble concentrating on things?'],
  ['/44253-3', 'Moving or speaking so slowly that other people could have noticed?'],
  ['/44260-8', 'Thoughts that you would be better off dead?'],
];

export const PHQ_9 = {
  resourceType: 'Questionnaire',
  url: 'http://loinc.org/q/44249-1',
  title: 'Patient Health Questionnaire (PHQ-9)',
  status: 'active',
  subjectType: ['Patient'],
  item: [
    ...PHQ_QUESTIONS.map(([linkId, text], i) => ({
      linkId,
      prefix: `${i + 1}.`,
      code: [{ system: 'http://loinc.org', code: linkId.slice(1) }],
      text,
      type: 'choice',
      required: true,
      answerOption: PHQ_OPTIONS,
    })),
    {
      linkId: '/69722-7',
      text: 'How difficult have these problems made it for you?',
      type: 'choice',
      enableWhen: PHQ_QUESTIONS.map(([question]) => ({
        question,
        operator: '!=',
        answerCoding: { system: 'http://loinc.org', code: 'LA6568-5' },
      })),
      enableBehavior: 'any',
      answerOption: [{ valueString: 'Not difficult' }, { valueString: 'Very difficult' }],
    },
    {
      linkId: '/44261-6',
      text: 'Total score',
      type: 'decimal',
      readOnly: true,
      extension: [
        {
          url: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression',
          valueExpression: {
            language: 'text/fhirpath',
            expression: '%resource.item.answer.value.ordinal().sum()',
          },
        },
      ],
    },
  ],
};

const control = (code: string) => ({
  url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-itemControl',
  valueCodeableConcept: { coding: [{ system: 'http://hl7.org/fhir/questionnaire-item-control', code }] },
});

export const INTAKE = {
  resourceType: 'Questionnaire',
  title: 'New patient intake',
  description: 'For everybody who comes for the first time',
  status: 'active',
  contained: [
    {
      resourceType: 'ValueSet',
      id: 'marital',
      status: 'active',
      compose: {
        include: [
          {
            concept: [
              { code: 'M', display: 'Married' },
              { code: 'S', display: 'Single' },
            ],
          },
        ],
      },
    },
  ],
  item: [
    {
      linkId: '1',
      text: 'About you',
      type: 'group',
      item: [
        { linkId: '1.1', text: 'Name', type: 'string', required: true, maxLength: 100 },
        { linkId: '1.2', text: 'Date of birth', type: 'date', required: true },
        { linkId: '1.3', text: 'Marital status', type: 'choice', answerValueSet: '#marital' },
        { linkId: '1.4', text: 'Ethnicity', type: 'choice', answerValueSet: 'http://example.org/ValueSet/x' },
        { linkId: '1.5', text: 'Other names', type: 'string', repeats: true },
        {
          linkId: '1.6',
          text: 'Weight',
          type: 'quantity',
          extension: [
            {
              url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-unit',
              valueCoding: { code: 'kg', display: 'kg' },
            },
          ],
        },
      ],
    },
    {
      linkId: '2',
      text: 'Your health',
      type: 'group',
      item: [
        {
          linkId: '2.1',
          text: 'Do you take medicines?',
          type: 'boolean',
          required: true,
          item: [
            {
              linkId: '2.1.h',
              text: 'Also those without a prescription',
              type: 'display',
              extension: [control('help')],
            },
            {
              linkId: '2.1.1',
              text: 'Medicines',
              type: 'group',
              repeats: true,
              enableWhen: [{ question: '2.1', operator: '=', answerBoolean: true }],
              item: [
                { linkId: '2.1.1.1', text: 'Name', type: 'string', required: true },
                {
                  linkId: '2.1.1.2',
                  text: 'Dose',
                  type: 'group',
                  item: [
                    { linkId: '2.1.1.2.1', text: 'Amount', type: 'decimal' },
                    {
                      linkId: '2.1.1.2.2',
                      text: 'When',
                      type: 'open-choice',
                      answerOption: [{ valueString: 'Morning' }],
                    },
                  ],
                },
              ],
            },
          ],
        },
        {
          linkId: '2.2',
          text: 'Allergies',
          type: 'choice',
          repeats: true,
          answerOption: [{ valueCoding: { code: 'nuts', display: 'Nuts' } }, { valueCoding: { code: 'milk' } }],
        },
        {
          linkId: '2.3',
          text: 'What happens when you eat nuts?',
          type: 'text',
          enableWhen: [{ question: '2.2', operator: '=', answerCoding: { code: 'nuts' } }],
        },
        { linkId: '2.4', text: 'Last visit', type: 'dateTime', initial: [{ valueDateTime: '2020-01-01' }] },
        { linkId: '2.5', text: 'Photo', type: 'attachment' },
        {
          linkId: '2.6',
          text: 'Website',
          type: 'url',
          enableWhen: [{ question: 'gone', operator: 'exists', answerBoolean: true }],
        },
        { linkId: '2.7', text: 'Doctor', type: 'reference' },
        { linkId: '2.8', text: 'Thank you', type: 'display' },
      ],
    },
  ],
};
