import type { ColumnType, Generated } from 'kysely';
import type { ExportFormat, ExportState, GoneBecause } from './exports/export-job.ts';
import type { DestructionCertificate } from './rights/destruction-certificate.ts';
import type { WorkState } from './work/work.ts';

declare module '../platform/db/tables.ts' {
  interface Tables {
    forms: {
      id: string;
      customer_id: number;
      title: string;
      description: string | null;
      form_html: string | null;
      form_json: ColumnType<Record<string, unknown> | null, string | null, string | null>;
      form_css: string | null;
      vanity_url: string | null;
      version: number;
      active: boolean;
      old_form_id: number | null;
      recipient: string | null;
      signable: boolean;
      signature_confirmation_label: string | null;
      type: string | null;
      subscription_list_id: number | null;
      deleted: boolean;
      archived: boolean;
      created_at: Date;
      updated_at: Date;
      retention_days: number | null;
    };
    form_versions: {
      form_id: string;
      version: number;
      customer_id: number;
      form_html: string | null;
      form_json: ColumnType<Record<string, unknown> | null, string | null, string | null>;
      form_css: string | null;
      signable: boolean;
      signature_confirmation_label: string | null;
      created_at: Date;
    };
    form_tallies: { customer_id: number; active: boolean; archived: boolean; forms: number };
    form_counts: { form_id: string; customer_id: number; submission_count: number };
    submissions: {
      id: string;
      customer_id: number;
      form_id: string;
      form_version: number;
      submitter_index: Buffer | null;
      submitter: Buffer | null;
      sealed: Buffer;
      created_at: Date;
    };
    form_pages: {
      form_id: string;
      customer_id: number;
      closes_at: Date | null;
      most_submissions: number | null;
      password_hash: string | null;
      single_use: boolean;
      frame_origins: string[];
      resumable: boolean;
      proof_of_work: 'off' | 'monitor' | 'enforce';
      traps: 'off' | 'monitor' | 'enforce';
      sealed_to: string[];
      updated_at: Date;
    };
    form_links: {
      id: string;
      customer_id: number;
      form_id: string;
      token_hash: Buffer;
      answers: Buffer | null;
      created_at: Date;
      expires_at: Date;
      used_at: Date | null;
      submission_id: string | null;
    };
    form_fillings: {
      customer_id: number;
      form_id: string;
      filling: Buffer;
      content: Buffer;
      submission_id: string;
      form_version: number;
      at: Date;
    };
    form_uploads: {
      id: string;
      customer_id: number;
      form_id: string;
      token_hash: Buffer;
      sealed: Buffer;
      length: number;
      received: number;
      blob_id: string | null;
      network: string | null;
      created_at: Date;
      expires_at: Date;
    };
    form_upload_parts: { upload_id: string; start: number; customer_id: number; blob_id: string };
    submission_certificates: {
      submission_id: string;
      customer_id: number;
      blob_id: string;
      sha256: Buffer;
      signed: Buffer;
      complete: boolean;
      made_at: Date;
    };
    form_drafts: {
      id: string;
      customer_id: number;
      form_id: string;
      token_hash: Buffer | null;
      held_hash: Buffer;
      once_index: Buffer;
      sealed: Buffer;
      created_at: Date;
      updated_at: Date;
      expires_at: Date;
    };
    form_draft_codes: {
      id: string;
      customer_id: number;
      draft_id: string;
      code_index: Buffer;
      tries: number;
      used_at: Date | null;
      created_at: Date;
    };
    submission_signers: {
      id: string;
      customer_id: number;
      form_id: string;
      submission_id: string;
      ordinal: number;
      role: string;
      required: boolean;
      state: 'waiting' | 'signed' | 'declined';
      token_hash: Buffer | null;
      sealed: Buffer | null;
      created_at: Date;
      expires_at: Date | null;
      settled_at: Date | null;
    };
    submission_signatures: {
      signer_id: string;
      customer_id: number;
      submission_id: string;
      sealed: Buffer;
      at: Date;
    };
    submission_signer_codes: {
      id: string;
      customer_id: number;
      signer_id: string;
      code_index: Buffer;
      tries: number;
      used_at: Date | null;
      created_at: Date;
    };
    submission_keys: { submission_id: string; customer_id: number; key: Buffer };
    submission_files: { blob_id: string; submission_id: string; customer_id: number };
    submission_amendments: {
      id: string;
      customer_id: number;
      form_id: string;
      submission_id: string;
      sealed: Buffer;
      at: Date;
    };
    submission_work: {
      submission_id: string;
      customer_id: number;
      form_id: string;
      state: WorkState;
      assignee_id: string | null;
      updated_at: Date;
    };
    submission_notes: {
      id: string;
      customer_id: number;
      form_id: string;
      submission_id: string;
      author_kind: string;
      author_id: string;
      sealed: Buffer;
      at: Date;
      taken_back_at: Date | null;
    };
    form_export_jobs: {
      id: string;
      customer_id: number;
      form_id: string;
      format: ExportFormat;
      state: ExportState;
      total: Generated<number>;
      done: Generated<number>;
      attempt: Generated<number>;
      tries: Generated<number>;
      blob_id: string | null;
      file_name: string | null;
      gone_because: GoneBecause | null;
      created_by_kind: string;
      created_by: string;
      created_at: Date;
      updated_at: Date;
      finished_at: Date | null;
    };
    destructions: {
      id: string;
      customer_id: number;
      form_id: string;
      submission_count: number;
      reason: 'retention' | 'request';
      at: Date;
      certificate: ColumnType<DestructionCertificate, string, never>;
    };
  }
}
