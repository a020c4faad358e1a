import type { ColumnType, Generated } from 'kysely';
import type { PolicySummary } from './bounces/tls-reports/read.ts';

declare module '../platform/db/tables.ts' {
  interface Tables {
    messages: {
      id: string;
      customer_id: number;
      content_id: string;
      key_id: string | null;
      mode: 'live' | 'test';
      from_address: string;
      envelope: Buffer;
      created_at: Date;
    };
    message_contents: { id: string; customer_id: number; sealed: Buffer; blob_ids: string[] | null };
    message_recipients: {
      message_id: string;
      ordinal: number;
      customer_id: number;
      address_index: Buffer;
      domain: string;
      state: 'queued' | 'noticed' | 'delivered' | 'bounced' | 'cancelled';
      attempts: Generated<number>;
      due_at: Date | null;
      settled_at: Date | null;
      /** Whether a notice went out in place of the content. */
      portal: Generated<boolean>;
      /** Whether it stands aside until its servers take more. */
      parked: Generated<boolean>;
    };
    delivery_attempts: {
      message_id: string;
      ordinal: number;
      attempt: number;
      customer_id: number;
      started_at: Date;
      finished_at: Date | null;
      outcome: string | null;
      peer: string | null;
      smtp_code: number | null;
      tls_version: string | null;
      tls_cipher: string | null;
      tls_policy: string | null;
      tls_verified: boolean | null;
      reply: Buffer | null;
      mx_host: string | null;
      mx_address: string | null;
      certificate_hash: Buffer | null;
      tls_basis: string | null;
      tls_reason: string | null;
      notice: Generated<boolean>;
      evidence_id: string | null;
      evidence_position: number | null;
      /** Sealed; null where the envelope of the message names them. */
      recipient: Buffer | null;
    };
    evidence_batches: { id: string; customer_id: number; leaves: Buffer };
    scheduled_messages: {
      message_id: string;
      number: Generated<number>;
      customer_id: number;
      scheduled_at: Date;
      scheduled_as: string;
      cancelled_at: Date | null;
      created_at: Date;
    };
    dynamic_templates: {
      id: Generated<number>;
      customer_id: number;
      name: string;
      version: number;
      created_at: Date;
      updated_at: Date;
      deleted_at: Date | null;
    };
    template_versions: {
      template_id: number;
      version: number;
      customer_id: number;
      subject: string | null;
      body: string;
      strict: boolean;
      raw_html: boolean;
      created_at: Date;
    };
    message_links: { message_id: string; customer_id: number; sealed: Buffer };
    message_engagement: {
      message_id: string;
      customer_id: number;
      opens: Generated<number>;
      machine_opens: Generated<number>;
      first_opened_at: Date | null;
      clicks: Generated<number>;
      machine_clicks: Generated<number>;
      unsubscribed_at: Date | null;
    };
    link_clicks: { message_id: string; link: number; customer_id: number; clicks: number };
    email_settings: { customer_id: number; open_tracking: boolean; link_tracking: boolean; updated_at: Date };
    event_heads: { customer_id: number; last_number: number };
    message_events: {
      message_id: string;
      number: number;
      customer_id: number;
      ordinal: number;
      name: string;
      at: Date;
      uncertain: Generated<boolean>;
    };
    webhook_endpoints: {
      id: Generated<number>;
      public_id: string;
      customer_id: number;
      events: string[];
      active: boolean;
      ordered: boolean;
      failing_since: Date | null;
      last_sequence: Generated<number>;
      url_index: Buffer;
      sealed: Buffer;
      created_at: Date;
      updated_at: Date;
      deleted_at: Date | null;
    };
    webhook_deliveries: {
      id: string;
      customer_id: number;
      endpoint_id: number;
      sequence: number;
      event_name: string;
      facts: Record<string, string | number>;
      state: 'pending' | 'delivered' | 'failed';
      attempts: Generated<number>;
      attempts_before: Generated<number>;
      due_at: Date | null;
      created_at: Date;
      settled_at: Date | null;
    };
    webhook_attempts: {
      delivery_id: string;
      attempt: number;
      customer_id: number;
      started_at: Date;
      finished_at: Date | null;
      outcome: string | null;
      status: number | null;
      owners_told_at: Date | null;
    };
    suppressions: {
      customer_id: number;
      address_index: Buffer;
      reason: 'hard_bounce' | 'complaint' | 'opt_out' | 'manual';
      sealed: Buffer;
      message_id: string | null;
      created_at: Date;
    };
    dkim_keys: {
      customer_id: number;
      domain: string;
      selector: string;
      public_key: string;
      sealed: Buffer;
      created_at: Date;
      algorithm: 'rsa' | 'ed25519';
      pair: number;
      seen_at: Date | null;
      retired_at: Date | null;
    };
    sending_domains: {
      id: string;
      customer_id: number;
      domain: string;
      challenge: string;
      state: 'pending' | 'verified' | 'failing';
      verified_at: Date | null;
      checked_at: Date | null;
      missed: Generated<number>;
      missing_since: Date | null;
      findings: Generated<Record<string, { status: 'found' | 'missing' | 'differs' | 'unanswered'; found: string[] }>>;
      return_path: Generated<boolean>;
      warm_up: boolean;
      first_sent_at: Date | null;
      created_at: Date;
    };
    sending_days: { customer_id: number; domain: string; day: string; sent: number };
    tls_exceptions: { id: string; customer_id: number; domain: string; created_at: Date };
    pickups: {
      id: string;
      customer_id: number;
      message_id: string;
      ordinal: number;
      token_hash: Buffer;
      sealed: Buffer;
      openings: Generated<number>;
      opened_at: Date | null;
      created_at: Date;
      expires_at: Date;
    };
    pickup_codes: {
      id: string;
      customer_id: number;
      pickup_id: string;
      code_index: Buffer;
      tries: Generated<number>;
      used_at: Date | null;
      created_at: Date;
    };
    pickup_sessions: { secret_hash: Buffer; customer_id: number; pickup_id: string; expires_at: Date };
    pickup_replies: { id: string; customer_id: number; pickup_id: string; created_at: Date };
    message_reports: {
      message_id: string;
      ordinal: number;
      kind: 'failed' | 'delayed' | 'complaint' | 'feedback';
      effect: 'none' | 'soft' | 'hard';
      customer_id: number;
      status: string | null;
      remote_mta: string | null;
      sealed: Buffer;
      received_at: Date;
    };
    tls_reports_received: {
      id: string;
      organization: string;
      report_id: string;
      range_start: Date;
      range_end: Date;
      policies: ColumnType<PolicySummary[], string, never>;
      received_at: Date;
    };
    sts_policies: {
      domain: string;
      policy_id: string;
      mode: 'enforce' | 'testing' | 'none';
      mx: string[];
      max_age: number;
      fetched_at: Date;
      expires_at: Date;
      checked_at: Date;
    };
    tls_memory: { domain: string; level: 'verified'; seen_at: Date };
    sandbox_messages: {
      id: string;
      customer_id: number;
      message_id: string;
      recipient_indexes: Buffer[];
      tls_version: string;
      tls_cipher: string;
      sealed: Buffer | null;
      blob_id: string | null;
      received_at: Date;
    };
  }
}
