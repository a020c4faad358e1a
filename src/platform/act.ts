/** Who does what: the part of an audit row that is known before the act itself. */
export interface Act {
  customerId: number;
  actor: Actor;
  action: string;
  requestId: string | null;
}

export interface Actor {
  kind: 'key' | 'user' | 'cli' | 'worker';
  id: string;
}
