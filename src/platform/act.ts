/** Who does what: the part of an audit row that is known before the act itself. */
export interface Act {
  customerId: number;
  actor: Actor;
  action: string;
  requestId: string | null;
}

export interface Actor {
  /**
   * `public` is somebody who needed nothing but an address; the id is then what they addressed. `recipient` has shown a
   * code that was mailed to them; the id is that of the pickup. `break-glass` is an operator who reads in an emergency; the
   * id is that of the grant.
   */
  kind: 'key' | 'user' | 'cli' | 'worker' | 'public' | 'recipient' | 'break-glass';
  id: string;
}
