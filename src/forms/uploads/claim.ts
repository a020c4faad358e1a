import type { Query } from '../../platform/db/database.ts';
import { type AppError, invalidField } from '../../platform/errors.ts';

/** A file that came ahead and goes with a submission now. */
export interface UploadClaim {
  blob_id: string;
  submission_id: string;
  form_id: string;
  customer_id: number;
  at: Date;
}

const CLAIM = `
  with wanted as (
    select * from json_to_recordset($1::json) as w (blob_id uuid, submission_id uuid, form_id uuid, customer_id int,
      at timestamptz)
  ), claimed as (
    delete from form_uploads u using wanted w
    where u.customer_id = w.customer_id and u.form_id = w.form_id and u.blob_id = w.blob_id and u.expires_at > w.at
    returning u.blob_id, w.submission_id, u.customer_id
  )
  insert into submission_files (blob_id, submission_id, customer_id)
  select blob_id, submission_id, customer_id from claimed`;

/** Takes files out of their uploads into submissions: each once, so that the count of rows says whether all were there. */
export function claimQuery(claims: readonly UploadClaim[]): Query {
  return { name: 'claim-uploads', text: CLAIM, values: [JSON.stringify(claims)] };
}

/** The refusal of a submission that names a file which is not there, or not any more. */
export function uploadGone(): AppError {
  return invalidField('attachments', 'hold an upload that is unknown, has expired or was sent already');
}
