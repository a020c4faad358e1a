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
    message_contents: { id: string; customer_id: number; sealed: Buffer };
    message_recipients: {
      message_id: string;
      ordinal: number;
      customer_id: number;
      address_index: Buffer;
      domain: string;
      state: 'queued' | 'delivered' | 'bounced';
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
