import { type Static, Type } from 'typebox';
import { fullNameOf, type Subscriber } from '../subscribers/subscriber.ts';

const Text = Type.Union([Type.String(), Type.Null()]);

const Statistics = Type.Object({
  deliveries: Type.Integer(),
  delivered: Type.Integer(),
  opened: Type.Integer(),
  clicked: Type.Integer(),
  soft_bounced: Type.Integer(),
  hard_bounced: Type.Integer(),
  unsubscribed: Type.Integer(),
  global_unsubscribed: Type.Integer(),
});

const Attributes = Type.Object({
  email: Text,
  phone_number: Text,
  first_name: Text,
  last_name: Text,
  full_name: Type.String(),
  time_zone: Text,
  unsubscribed: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
  custom_fields: Type.Optional(
    Type.Array(
      Type.Object({
        subscriber_custom_field_type_id: Type.String(),
        custom_field_name: Type.String(),
        custom_field_value: Type.String(),
        name: Type.String({ description: 'as custom_field_name, for clients that read this one' }),
        value: Type.String({ description: 'as custom_field_value' }),
      }),
    ),
  ),
  subscription_lists: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        unsubscribed: Type.Boolean(),
        pending: Type.Boolean(),
      }),
    ),
  ),
  statistics: Type.Optional(Statistics),
});

/** A person on the wire. */
export const SubscriberReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  type: Type.Literal('subscriber'),
  attributes: Attributes,
});

type More = Partial<
  Pick<Static<typeof Attributes>, 'unsubscribed' | 'custom_fields' | 'subscription_lists' | 'statistics'>
>;

/** Describes a person, with whatever more of them was asked for. */
export function describeSubscriber(row: Subscriber, more: More = {}): Static<typeof SubscriberReply> {
  return {
    id: row.id,
    type: 'subscriber',
    attributes: {
      email: row.email,
      phone_number: row.phone_number,
      first_name: row.first_name,
      last_name: row.last_name,
      full_name: fullNameOf(row),
      time_zone: row.time_zone,
      unsubscribed: row.unsubscribed_at !== null,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      ...more,
    },
  };
}
