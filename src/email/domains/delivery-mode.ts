/** Where accepted mail goes: to the sandbox, to the mail servers of its recipients, or to one next hop. */
export type DeliveryMode = 'sandbox' | 'direct' | 'relay';
