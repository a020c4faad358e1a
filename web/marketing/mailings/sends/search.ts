/** Which of the deliveries of a send are shown. */
export interface SendSearch {
  state?: string;
}

/** Reads it from an address. Who is looked for never stands there. */
export function readSendSearch({ state }: Record<string, unknown>): SendSearch {
  return typeof state === 'string' && /^[a-z_]+$/.test(state) ? { state } : {};
}
