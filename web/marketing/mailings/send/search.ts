/** Whom a mailing is to be sent to, where that was chosen before the mailing. */
export interface AudienceSearch {
  segment?: string;
}

/** Reads it from an address. */
export function readAudienceSearch({ segment }: Record<string, unknown>): AudienceSearch {
  const id = typeof segment === 'number' ? String(segment) : segment;
  return typeof id === 'string' && /^[0-9a-z-]+$/i.test(id) ? { segment: id } : {};
}
