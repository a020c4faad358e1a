import type { ColumnType, Generated } from 'kysely';
import type { Role, Scope } from '../platform/http/access.ts';
import type { HoldKind } from './holds/hold.ts';

/** What a link that sets a password is for: the first one, or a new one. */
export type LinkKind = 'invitation' | 'reset';

declare module '../platform/db/tables.ts' {
  interface Tables {
    customers: {
      id: ColumnType<number, never, never>;
      name: string;
      username: string;
      created_at: Date;
      checklist_dismissed_at: Generated<Date | null>;
      closed_at: Generated<Date | null>;
      form_retention_days: Generated<number | null>;
      destroyed_at: Generated<Date | null>;
      security_contact: Generated<string | null>;
      oversight_updated_at: Generated<Date>;
      review_days: Generated<number>;
      review_due_days: Generated<number>;
    };
    users: {
      id: string;
      customer_id: number;
      email: string;
      name: Generated<string>;
      role: Role;
      password_hash: string | null;
      created_at: Date;
      disabled_at: Date | null;
    };
    user_setup_links: {
      token_hash: Buffer;
      customer_id: number;
      user_id: string;
      kind: LinkKind;
      created_at: Date;
      expires_at: Date;
      used_at: Date | null;
    };
    api_keys: {
      id: string;
      customer_id: number;
      public_id: string;
      secret_hash: Buffer;
      name: string;
      mode: 'live' | 'test';
      scopes: Scope[];
      created_at: Date;
      expires_at: Date | null;
      last_used_at: Date | null;
      revoked_at: Date | null;
      created_by: Generated<string | null>;
      sending_domains: Generated<string[]>;
    };
    user_sessions: {
      id: string;
      customer_id: number;
      user_id: string;
      token_hash: Buffer;
      csrf: string;
      agent: string;
      created_at: Date;
      seen_at: Date;
      expires_at: Date;
      factor_at: Date | null;
      fresh_at: Date | null;
      ended_at: Date | null;
      tries: Generated<number>;
      challenge: string | null;
      challenge_at: Date | null;
      grant_id: Generated<string | null>;
    };
    user_totp: {
      user_id: string;
      customer_id: number;
      secret: Buffer | null;
      pending: Buffer | null;
      confirmed_at: Date | null;
      last_step: Generated<number>;
    };
    user_passkeys: {
      id: string;
      customer_id: number;
      user_id: string;
      credential_id: string;
      public_key: Buffer;
      counter: number;
      transports: string[];
      name: string;
      created_at: Date;
      last_used_at: Date | null;
    };
    user_recovery_codes: {
      user_id: string;
      customer_id: number;
      code_index: Buffer;
      created_at: Date;
      used_at: Date | null;
    };
    agreements: {
      id: string;
      customer_id: number;
      version: string;
      signer: string;
      signed_on: string;
      ends_on: string | null;
      pdf_blob_id: string | null;
      recorded_at: Date;
    };
    audit_log: {
      id: string;
      customer_id: number;
      xact: Generated<string>;
      at: ColumnType<Date, string, never>;
      actor_kind: string;
      actor_id: string;
      action: string;
      target: string | null;
      request_id: string | null;
      details: string | null;
    };
    audit_chain: { customer_id: number; seq: number; audit_id: string; hash: Buffer };
    audit_heads: { customer_id: number; seq: number; hash: Buffer; checkpointed_seq: Generated<number> };
    audit_signed_heads: {
      customer_id: number;
      seq: number;
      hash: Buffer;
      checkpoint: number;
      at: string;
      signature: string;
    };
    audit_cuts: { customer_id: number; seq: number; hash: Buffer; years: number; at: string; signature: string };
    audit_checkpoints: { number: number; line: string };
    audit_restores: {
      id: string;
      restored_to: string;
      recorded_at: string;
      actor_kind: string;
      actor_id: string;
      signature: string;
    };
    audit_watermark: { only_row: boolean; sealed_below: string };
    legal_holds: {
      id: string;
      customer_id: number;
      kind: HoldKind;
      target: string | null;
      person_indexes: Buffer[] | null;
      sealed: Buffer;
      set_by_kind: string;
      set_by: string;
      set_at: Date;
      release: Generated<Buffer | null>;
      released_by_kind: Generated<string | null>;
      released_by: Generated<string | null>;
      released_at: Generated<Date | null>;
    };
    retention_settings: {
      customer_id: number;
      content_days: number | null;
      sandbox_days: number | null;
      log_days: number | null;
      webhook_days: number | null;
      work_days: number | null;
      marketing_days: number | null;
      audit_years: number | null;
      audit_reason: string | null;
      updated_at: Date;
    };
  }
}
