import type { Owner } from '../owner.ts';
import { ofForm } from './forms.ts';
import { inPath, NO_UUID, type Place, spellings } from './place.ts';

const STATEMENT = { statement: 'I do not agree.' };

/** The ids of a form and of a submission before one of the rights of whoever submitted it. */
export const ofSubmission = (method: string, right: string, body?: object): Place[] => [
  ofForm(method, ({ submissionIds: [id] }) => `/submissions/${id}/${right}`, body),
  inPath(method, (id, { formIds: [form] }: Owner) => `/v1/forms/api/forms/${form}/submissions/${id}/${right}`, {
    foreign: ({ submissionIds: [id] }) => spellings(id),
    unknown: NO_UUID,
    name: 'sid',
    ...(body && { body }),
  }),
];

/** The ids in requests about what people may ask for. */
export const RIGHTS_PLACES: Record<string, Place[]> = {
  exportDeidentifiedCsv: [ofForm('GET', () => '/submissions/deidentified-csv')],
  exportPerson: [],
  createAmendment: ofSubmission('POST', 'amendments', STATEMENT),
  listAmendments: ofSubmission('GET', 'amendments'),
  listDisclosures: ofSubmission('GET', 'disclosures'),
  listDestructions: [
    inPath('GET', (id) => `/v1/forms/api/forms/destructions?form_id=${id}`, {
      foreign: ({ formIds: [id] }) => spellings(id),
      unknown: NO_UUID,
      name: 'form_id',
    }),
  ],
  readDestruction: [
    inPath('GET', (id) => `/v1/forms/api/forms/destructions/${id}`, {
      foreign: ({ destructionId }) => spellings(destructionId),
      unknown: NO_UUID,
    }),
  ],
};
