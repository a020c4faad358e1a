import { ofForm } from './forms.ts';
import { inPath, NO_UUID, type Place, spellings } from './place.ts';
import { ofSubmission } from './rights.ts';

const WITNESS = { role: 'witness', email: 'will@example.com' };

/** The ids in requests about who signs a submission. Who has signed stays, however often they are withdrawn. */
export const SIGNER_PLACES: Record<string, Place[]> = {
  listSigners: ofSubmission('GET', 'signers'),
  inviteSigner: ofSubmission('POST', 'signers', WITNESS),
  withdrawSigner: [
    {
      ...ofForm('DELETE', ({ submissionIds: [id], signerId }) => `/submissions/${id}/signers/${signerId}`),
      foreign: ({ formIds: [form] }) => spellings(form),
    },
    inPath(
      'DELETE',
      (id, { formIds: [form], signerId }) => `/v1/forms/api/forms/${form}/submissions/${id}/signers/${signerId}`,
      {
        foreign: ({ submissionIds: [id] }) => spellings(id),
        unknown: NO_UUID,
        name: 'sid',
      },
    ),
    inPath(
      'DELETE',
      (id, { formIds: [form], submissionIds: [sid] }) => `/v1/forms/api/forms/${form}/submissions/${sid}/signers/${id}`,
      { foreign: ({ signerId }) => spellings(signerId), unknown: NO_UUID, name: 'signer' },
    ),
  ],
};
