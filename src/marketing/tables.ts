import type { ColumnType, GeneratedAlways } from 'kysely';

declare module '../platform/db/tables.ts' {
  interface Tables {
    subscription_lists: {
      id: GeneratedAlways<number>;
      customer_id: number;
      name: string;
      is_default: boolean;
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
      unsubscribed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      created_at: Date;
      updated_at: Date;
    };
    subscriptions: {
      id: string;
      customer_id: number;
      subscription_list_id: number;
      subscriber_id: string;
      created_at: Date;
      unsubscribed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    };
    custom_field_types: { id: string; customer_id: number; name: string; created_at: Date };
    custom_field_values: {
      customer_id: number;
      subscriber_id: string;
      custom_field_type_id: string;
      value: string;
    };
  }
}
