/** What lists of every kind go by. */
export const LIST_ORDERS = ['created_at', 'updated_at', 'name', 'subscriber_count'] as const;

export type ListOrder = (typeof LIST_ORDERS)[number];
