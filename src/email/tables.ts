import type { Generated } from 'kysely';

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
      state: 'queued' | 'delivered' | 'bounced' | 'cancelled';
      attempts: Generated<number>;
      due_at: Date | null;
      settled_at: Date | null;
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
    };
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
    };
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
