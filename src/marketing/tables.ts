import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { FieldClass, FieldKind } from './fields/field-type.ts';
import type { ImportSettings, ImportState, UndoStep } from './imports/import.ts';

type Json<T> = ColumnType<T, string, string>;

declare module '../platform/db/tables.ts' {
  interface Tables {
    subscription_lists: {
      id: GeneratedAlways<number>;
      customer_id: number;
      name: string;
      is_default: boolean;
      double_opt_in: Generated<boolean>;
      consent_text_id: ColumnType<number | null, number | null | undefined, number | null>;
      created_at: Date;
      updated_at: Date;
    };
    subscribers: {
      id: string;
      customer_id: number;
      number: GeneratedAlways<number>;
      email: string | null;
      phone_number: string | null;
      first_name: string | null;
      last_name: string | null;
      time_zone: ColumnType<string | null, string | null | undefined, string | null>;
      fields: ColumnType<Record<string, string>, string | undefined, string>;
      sealed_fields: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
      import_id: ColumnType<string | null, string | null | undefined, string | null>;
      unsubscribed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      /** How often another address took the place of one. */
      address_changes: GeneratedAlways<number>;
      created_at: Date;
      updated_at: Date;
    };
    subscriptions: {
      id: string;
      customer_id: number;
      subscription_list_id: number;
      subscriber_id: string;
      created_at: Date;
      pending: Generated<boolean>;
      active: boolean;
      import_id: ColumnType<string | null, string | null | undefined, string | null>;
      /** The words of the import that it came by, else those that the list asked to agree to then. */
      consent_text_id: ColumnType<number | null, number | null | undefined, number | null>;
      unsubscribed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    };
    custom_field_types: {
      id: string;
      customer_id: number;
      number: GeneratedAlways<number>;
      name: string;
      kind: FieldKind;
      class: FieldClass;
      created_at: Date;
    };
    people_counts: { customer_id: number; shard: number; people: number; opted_out: number };
    list_counts: { customer_id: number; subscription_list_id: number; shard: number; active: number };
    consent_texts: {
      id: GeneratedAlways<number>;
      customer_id: number;
      /** Null for the words of an import. */
      subscription_list_id: number | null;
      text: string;
      created_at: Date;
    };
    consent_changes: {
      id: string;
      customer_id: number;
      subscriber_id: string;
      subscription_list_id: number | null;
      change: string;
      source: string;
      evidence: Json<Record<string, string | number>>;
      at: Date;
    };
    segments: {
      id: string;
      customer_id: number;
      name: string;
      filters: Json<unknown>;
      subscriber_count: number | null;
      counted_at: Date | null;
      created_at: Date;
      updated_at: Date;
    };
    bulk_jobs: {
      id: string;
      customer_id: number;
      kind: string;
      state: 'waiting' | 'running' | 'done' | 'failed';
      total: Generated<number>;
      done: Generated<number>;
      failures: Generated<number>;
      sealed: Buffer;
      /** How far it has come: the last person of the last page. */
      place: string | null;
      blob_id: string | null;
      file_name: string | null;
      created_at: Date;
      updated_at: Date;
      finished_at: Date | null;
    };
    imports: {
      id: string;
      customer_id: number;
      state: ImportState;
      dry_run: boolean;
      blob_id: string | null;
      settings: Json<ImportSettings>;
      subscription_list_id: number | null;
      /** The words of its settings, once it has begun and is no dry run. */
      consent_text_id: ColumnType<number | null, number | null | undefined, number | null>;
      bytes: number;
      bytes_done: Generated<number>;
      lines_done: Generated<number>;
      rows_done: Generated<number>;
      created: Generated<number>;
      updated: Generated<number>;
      unchanged: Generated<number>;
      skipped: Generated<number>;
      opted_out: Generated<number>;
      removed: Generated<number>;
      restored: Generated<number>;
      kept: Generated<number>;
      held: Generated<string[]>;
      undo_step: UndoStep | null;
      undo_place: string | null;
      attempts: Generated<number>;
      failure: string | null;
      created_at: Date;
      updated_at: Date;
      started_at: Date | null;
      finished_at: Date | null;
      undone_at: Date | null;
    };
    import_changes: {
      import_id: string;
      customer_id: number;
      subscriber_id: string;
      before: Json<Record<string, unknown>>;
      after: Json<Record<string, unknown>>;
      sealed_before: Buffer | null;
      sealed_after: Buffer | null;
      number_before: string | null;
    };
    import_rejects: { import_id: string; customer_id: number; line: number; reasons: string[] };
    campaign_mailings: {
      id: GeneratedAlways<number>;
      customer_id: number;
      subject: string;
      template_type: string;
      version: number;
      created_at: Date;
      updated_at: Date;
      deleted_at: Date | null;
    };
    mailing_versions: {
      mailing_id: number;
      version: number;
      customer_id: number;
      default_subject: string | null;
      from_address: string | null;
      reply_to: string | null;
      preheader: string | null;
      html_part: string | null;
      text_part: string | null;
      mjml_part: string | null;
      blocks: ColumnType<unknown, string | null, never>;
      form_data: ColumnType<unknown, string | null, never>;
      prepared: ColumnType<unknown, string | null, never>;
      created_at: Date;
    };
    campaign_mailing_sends: {
      id: GeneratedAlways<number>;
      jid: string;
      customer_id: number;
      mailing_id: number;
      version: number;
      state: string;
      mode: 'live' | 'test';
      subscription_list_id: number | null;
      segment_id: string | null;
      filters: ColumnType<unknown, string | null, string | null>;
      subscriber_ids: string[] | null;
      sender_email: string;
      from_name: string | null;
      reply_to: string | null;
      subject: string | null;
      per_second: number | null;
      per_domain_per_minute: number | null;
      track_links: boolean;
      track_opens: boolean;
      send_window: ColumnType<unknown, string | null, string | null>;
      send_at: Date;
      place: string | null;
      audience_complete: Generated<boolean>;
      paced_until: Date | null;
      drip_id: ColumnType<number | null, number | undefined, never>;
      drip_version: ColumnType<number | null, number | undefined, never>;
      drip_step: ColumnType<string | null, string | undefined, never>;
      created_at: Date;
      updated_at: Date;
      started_at: Date | null;
      finished_at: Date | null;
    };
    send_counts: {
      send_id: number;
      customer_id: number;
      people: Generated<number>;
      sent: Generated<number>;
      delivered: Generated<number>;
      soft_bounced: Generated<number>;
      hard_bounced: Generated<number>;
      suppressed: Generated<number>;
      excluded: Generated<number>;
      uncertain: Generated<number>;
      cancelled: Generated<number>;
      opened: Generated<number>;
      machine_opened: Generated<number>;
      clicked: Generated<number>;
      unsubscribed: Generated<number>;
      opted_out: Generated<number>;
    };
    mailing_recipients: {
      id: string;
      customer_id: number;
      send_id: number;
      mailing_id: number;
      subscriber_id: string;
      domain: string;
      state: string;
      rule: string | null;
      attempts: Generated<number>;
      smtp_code: number | null;
      reply: Buffer | null;
      due_at: Date | null;
      leased_until: Date | null;
      first_tried_at: Date | null;
      settled_at: Date | null;
      complained: Generated<boolean>;
    };
    mailing_engagement: {
      id: string;
      customer_id: number;
      send_id: number;
      mailing_id: number;
      subscriber_id: string;
      opens: Generated<number>;
      machine_opens: Generated<number>;
      first_opened_at: Date | null;
      clicks: Generated<number>;
      machine_clicks: Generated<number>;
      first_clicked_at: Date | null;
      unsubscribed_at: Date | null;
      opted_out: Generated<boolean>;
    };
    tracking_links: {
      id: GeneratedAlways<number>;
      customer_id: number;
      send_id: number;
      number: number;
      sealed: Buffer;
      created_at: Date;
    };
    mailing_link_clicks: {
      id: string;
      link: number;
      customer_id: number;
      send_id: number;
      subscriber_id: string;
      clicks: number;
      first_at: Date;
    };
    domain_paces: { send_id: number; domain: string; customer_id: number; next_at: Date };
  }
}
